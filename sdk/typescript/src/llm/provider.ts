import type { Settings } from "./config/settings.js";
import { AgentError } from "./errors.js";
import { type Failure, Stall } from "./failure.js";
import { retry } from "./retry.js";
import type { Block, Model, ModelRequest, ModelResponse } from "./types.js";

/** What differs between the providers: one call, and what its errors mean. */
export interface Provider {
  /** Loads the provider's client. */
  load(): Promise<void>;
  stream(request: ModelRequest, attempt: Attempt): Promise<ModelResponse>;
  toFailure(error: unknown): Failure;
}

interface Attempt {
  signal: AbortSignal;
  /** To be called on every sign of life of the server. */
  alive(): void;
  onBlock(block: Block): void;
}

/** Adds to a provider what all of them need: deadline, cancelling, stalls and retries. */
export function modelOf(provider: Provider, settings: Settings): Model {
  return {
    name: settings.model,
    contextTokens: settings.contextTokens,
    async run(request, signal) {
      const call = new AbortController();
      const cancel = () => call.abort(cancelled(signal));
      signal?.addEventListener("abort", cancel, { once: true });
      if (signal?.aborted) cancel();
      const timeoutMs = settings.requestTimeoutSec * 1000;
      const timer = setTimeout(() => call.abort(tooLate(settings)), timeoutMs);
      try {
        call.signal.throwIfAborted();
        await provider.load();
        return await retry(() => tryOnce(provider, request, settings, call.signal), {
          maxRetries: settings.maxRetries,
          retryDelaySec: settings.retryDelaySec,
          signal: call.signal,
          deadline: performance.now() + timeoutMs,
          toFailure: provider.toFailure,
          onRetry: (retry) => tell("onRetry", () => request.onRetry?.(retry)),
        });
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener("abort", cancel);
      }
    },
  };
}

async function tryOnce(
  provider: Provider,
  request: ModelRequest,
  { stallTimeoutSec }: Settings,
  call: AbortSignal,
): Promise<ModelResponse> {
  call.throwIfAborted();
  const attempt = new AbortController();
  const { signal } = attempt;
  const stop = () => attempt.abort(call.reason);
  call.addEventListener("abort", stop, { once: true });
  const stall = setTimeout(() => attempt.abort(new Stall(stallTimeoutSec)), stallTimeoutSec * 1000);
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  const answer = provider.stream(request, {
    signal,
    alive: () => stall.refresh(),
    onBlock(block) {
      if (!signal.aborted) tell("onBlock", () => request.onBlock?.(block));
    },
  });
  try {
    // A client that is slow to notice the signal keeps nobody waiting.
    return await Promise.race([answer, stopped]);
  } finally {
    clearTimeout(stall);
    call.removeEventListener("abort", stop);
    // Also after an error of our own: the connection is not to linger.
    attempt.abort();
  }
}

/** A listener that throws is the caller's mistake, and no reason to ask the model again. */
function tell(listener: string, call: () => void): void {
  try {
    call();
  } catch (error) {
    throw new AgentError("invalid", `${listener} failed: ${String(error)}`, { cause: error });
  }
}

function cancelled(signal: AbortSignal | undefined): AgentError {
  return new AgentError("timeout", "the call was cancelled", { cause: signal?.reason });
}

function tooLate({ requestTimeoutSec }: Settings): AgentError {
  return new AgentError("timeout", `the model gave no whole answer within ${requestTimeoutSec} s`);
}

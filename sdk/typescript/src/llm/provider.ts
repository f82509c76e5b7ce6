import type { Settings } from "./config/settings.js";
import { AgentError } from "./errors.js";
import { type Failure, Stall } from "./failure.js";
import { retry } from "./retry.js";
import type { Block, Model, ModelRequest, ModelResponse } from "./types.js";

/** What differs between providers: how to make one call and how to read its errors. */
export interface Provider {
  /** Loads the provider's client. */
  load(): Promise<void>;
  stream(request: ModelRequest, call: StreamContext): Promise<ModelResponse>;
  toFailure(error: unknown): Failure;
}

interface StreamContext {
  signal: AbortSignal;
  /** Call it whenever the server sends anything. */
  alive(): void;
  onBlock(block: Block): void;
}

/** Adds what all providers need: deadline, cancellation, stall detection and retries. */
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
      const timer = setTimeout(() => call.abort(timedOut(settings)), timeoutMs);
      try {
        call.signal.throwIfAborted();
        await provider.load();
        return await retry(() => tryOnce(provider, request, settings, call.signal), {
          maxRetries: settings.maxRetries,
          retryDelaySec: settings.retryDelaySec,
          signal: call.signal,
          deadline: performance.now() + timeoutMs,
          toFailure: provider.toFailure,
          onRetry: (retry) => notify("onRetry", () => request.onRetry?.(retry)),
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
      if (!signal.aborted) notify("onBlock", () => request.onBlock?.(block));
    },
  });
  try {
    // Don't wait for a client that is slow to notice the signal.
    return await Promise.race([answer, stopped]);
  } finally {
    clearTimeout(stall);
    call.removeEventListener("abort", stop);
    // Closes the connection, also after an error of our own.
    attempt.abort();
  }
}

/** A listener that throws is the caller's error, so the call isn't retried. */
function notify(listener: string, call: () => void): void {
  try {
    call();
  } catch (error) {
    throw new AgentError("invalid", `${listener} failed: ${String(error)}`, { cause: error });
  }
}

function cancelled(signal: AbortSignal | undefined): AgentError {
  return new AgentError("timeout", "the call was cancelled", { cause: signal?.reason });
}

function timedOut({ requestTimeoutSec }: Settings): AgentError {
  return new AgentError(
    "timeout",
    `the model didn't finish its response within ${requestTimeoutSec} s`,
  );
}

import { setTimeout as sleep } from "node:timers/promises";
import { limits } from "../limits.js";
import { AgentError } from "./errors.js";
import type { Failure } from "./failure.js";
import type { Retry } from "./types.js";

export interface RetryOptions {
  maxRetries: number;
  /** Maximum first delay. */
  retryDelaySec: number;
  signal: AbortSignal;
  /** In milliseconds of `performance.now()`. */
  deadline: number;
  toFailure(error: unknown): Failure;
  onRetry(retry: Retry): void;
}

const LONGEST_BACK_OFF_MS = 30_000;

/** Retries the work while its failure is transient and there is time to wait. */
export async function retry<T>(work: () => Promise<T>, options: RetryOptions): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (thrown) {
      const failure = options.toFailure(thrown);
      const delayMs = delayAfter(attempt, failure, options);
      options.onRetry({ attempt: attempt + 1, delayMs, reason: failure.error });
      await wait(delayMs, options.signal);
    }
  }
}

/** The delay before the next attempt. Throws the failure's error if there is none. */
function delayAfter(attempt: number, failure: Failure, options: RetryOptions): number {
  const { error } = failure;
  if (!failure.retry) throw error;
  if (attempt > options.maxRetries) {
    throw attempt === 1 ? error : withNote(error, `tried ${attempt} times`);
  }
  const ceiling = Math.min(LONGEST_BACK_OFF_MS, options.retryDelaySec * 1000 * 2 ** (attempt - 1));
  // Jitter on top of the server's delay too: all clients get the same one.
  const delayMs = (failure.retryAfterMs ?? 0) + Math.random() * ceiling;
  const left = timeLeft(options.deadline);
  if (delayMs >= left.ms) {
    const seconds = (ms: number) => Number((ms / 1000).toFixed(1));
    const reason = `not retried: a delay of ${seconds(delayMs)} s would exceed`;
    throw withNote(error, `${reason} the ${seconds(left.ms)} s left of ${left.of}`);
  }
  return delayMs;
}

function timeLeft(deadline: number): { ms: number; of: string } {
  const task = { ms: limits().timeLeftSec * 1000, of: "the task's time" };
  const call = { ms: Math.max(0, deadline - performance.now()), of: "requestTimeoutSec" };
  return task.ms < call.ms ? task : call;
}

function withNote({ kind, message, status, cause }: AgentError, note: string): AgentError {
  return new AgentError(kind, `${message} (${note})`, {
    cause,
    ...(status === null ? {} : { status }),
  });
}

async function wait(delayMs: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(delayMs, undefined, { signal });
  } catch {
    throw signal.reason;
  }
}

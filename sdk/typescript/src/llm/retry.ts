import { setTimeout as sleep } from "node:timers/promises";
import { limits } from "../limits.js";
import { AgentError } from "./errors.js";
import type { Failure } from "./failure.js";
import type { Retry } from "./types.js";

export interface RetryOptions {
  maxRetries: number;
  /** The most that the first wait may take. */
  retryDelaySec: number;
  signal: AbortSignal;
  /** In milliseconds of `performance.now()`. */
  deadline: number;
  toFailure(error: unknown): Failure;
  onRetry(retry: Retry): void;
}

const LONGEST_BACK_OFF_MS = 30_000;

/** Does the work anew while it fails in a way that may pass, and there is time to wait. */
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

/** Throws the failure's error when there is to be no further attempt. */
function delayAfter(attempt: number, failure: Failure, options: RetryOptions): number {
  const { error } = failure;
  if (!failure.retry) throw error;
  if (attempt > options.maxRetries) {
    throw attempt === 1 ? error : sayMore(error, `tried ${attempt} times`);
  }
  const ceiling = Math.min(LONGEST_BACK_OFF_MS, options.retryDelaySec * 1000 * 2 ** (attempt - 1));
  // Jitter also on top of what the server asks for: it asks it of everybody at the same time.
  const delayMs = (failure.retryAfterMs ?? 0) + Math.random() * ceiling;
  const left = timeLeft(options.deadline);
  if (delayMs >= left.ms) {
    const seconds = (ms: number) => Number((ms / 1000).toFixed(1));
    const reason = `not tried again: a wait of ${seconds(delayMs)} s would outlast`;
    throw sayMore(error, `${reason} the ${seconds(left.ms)} s that are left of ${left.of}`);
  }
  return delayMs;
}

function timeLeft(deadline: number): { ms: number; of: string } {
  const task = { ms: limits().timeLeftSec * 1000, of: "the task's time" };
  const call = { ms: Math.max(0, deadline - performance.now()), of: "requestTimeoutSec" };
  return task.ms < call.ms ? task : call;
}

function sayMore({ kind, message, status, cause }: AgentError, more: string): AgentError {
  return new AgentError(kind, `${message} (${more})`, {
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

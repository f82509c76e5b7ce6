import { AgentError } from "../llm/errors.js";
import { reasonOf } from "../log.js";

/** Settles with the work, or rejects as soon as the signal is aborted, whatever the work does. */
export async function untilAborted<T>(work: () => T | Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** The error that a prompt rejects with. */
export function asAgentError(error: unknown, signal: AbortSignal): AgentError {
  if (signal.aborted) {
    const timedOut = signal.reason instanceof Error && signal.reason.name === "TimeoutError";
    const message = timedOut ? "the prompt timed out" : "the prompt was cancelled";
    return new AgentError("timeout", message, { cause: signal.reason });
  }
  if (error instanceof AgentError) return error;
  return new AgentError("agent", reasonOf(error), { cause: error });
}

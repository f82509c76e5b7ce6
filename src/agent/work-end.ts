import { asInfraError, messageOf } from "../errors.js";
import type { AgentEnd, ErrorRecord } from "../events/index.js";
import type { WorkEnd } from "../interfaces/index.js";
import { WorkStopped } from "./work-stopped.js";

/** How work ended, apart from the agent's process. */
export type Ending = Omit<WorkEnd, "exit">;

export const COMPLETED: WorkEnd = { end: "completed", error: null, exit: null };

/** What was thrown, as an ending: a limit, an interruption, or else an infrastructure error. */
export function endingOf(
  error: unknown,
  signal: AbortSignal,
): { end: Exclude<AgentEnd, "completed">; error: ErrorRecord } {
  const cause = signal.aborted && signal.reason instanceof WorkStopped ? signal.reason : error;
  if (cause instanceof WorkStopped) return { end: cause.end, error: cause.record };
  if (signal.aborted) {
    const message = messageOf(signal.reason);
    return { end: "cancelled", error: { code: "cancelled", message, hint: null } };
  }
  const { code, message, hint } = asInfraError(error, "the trial could not continue");
  return { end: "infra_error", error: { code, message, hint } };
}

import { WorkStopped } from "../agent/work-stopped.js";
import { asInfraError, messageOf } from "../errors.js";
import type { AgentEnd, ErrorRecord } from "../events/records.js";

/** Whatever is thrown is the machine's fault, unless a limit was reached or it was cancelled. */
export function explainFailure(
  error: unknown,
  signal: AbortSignal,
): { end: Exclude<AgentEnd, "completed">; error: ErrorRecord } {
  if (signal.aborted) {
    const message = messageOf(signal.reason);
    return { end: "cancelled", error: { code: "cancelled", message, hint: null } };
  }
  if (error instanceof WorkStopped) return { end: error.end, error: error.record };
  const { code, message, hint } = asInfraError(error, "the trial could not continue");
  return { end: "infra_error", error: { code, message, hint } };
}

/** True when no verifier could change the outcome any more: the first cause wins. */
export function isSettled(end: AgentEnd, gradeTimeouts: boolean): boolean {
  if (end === "cancelled" || end === "completed") return false;
  return !(end === "agent_timeout" && gradeTimeouts);
}

import { asInfraError } from "../errors.js";
import type { AgentEnd, ErrorRecord } from "../events/records.js";

/** Whatever is thrown is the machine's fault, unless somebody asked for the end. */
export function explainFailure(
  error: unknown,
  signal: AbortSignal,
): { end: AgentEnd; error: ErrorRecord } {
  if (signal.aborted) {
    const message = "the run was interrupted";
    return { end: "cancelled", error: { code: "cancelled", message, hint: null } };
  }
  const { code, message, hint } = asInfraError(error, "the trial could not go on");
  return { end: "infra_error", error: { code, message, hint } };
}

/** True when no verifier could change the outcome any more: the first cause wins. */
export function isSettled(end: AgentEnd, gradeTimeouts: boolean): boolean {
  if (end === "cancelled" || end === "completed") return false;
  return !(end === "agent_timeout" && gradeTimeouts);
}

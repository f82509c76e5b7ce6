import type { AgentEnd } from "../events/index.js";

/** True when the verifier can't change the outcome any more: the first cause wins. */
export function isSettled(end: AgentEnd, gradeTimeouts: boolean): boolean {
  if (end === "cancelled" || end === "completed") return false;
  return !(end === "agent_timeout" && gradeTimeouts);
}

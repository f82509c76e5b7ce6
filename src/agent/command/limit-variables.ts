import type { Limits } from "../../interfaces/index.js";

interface LimitedWork {
  taskName: string;
  attempt: number;
  limits: Pick<Limits, "maxSteps" | "stepTimeoutSec" | "commandTimeoutSec">;
  /** For the whole work; null: no limit. */
  timeoutSec: number | null;
}

/** What an agent's environment says about its task and its limits. */
export function limitVariables(work: LimitedWork): Record<string, string> {
  const { taskName, attempt, limits, timeoutSec } = work;
  return {
    TERM_TASK: taskName,
    TERM_ATTEMPT: String(attempt),
    TERM_MAX_STEPS: String(limits.maxSteps),
    ...(timeoutSec === null ? {} : { TERM_AGENT_TIMEOUT_SEC: String(timeoutSec) }),
    TERM_STEP_TIMEOUT_SEC: String(limits.stepTimeoutSec),
    TERM_COMMAND_TIMEOUT_SEC: String(limits.commandTimeoutSec),
  };
}

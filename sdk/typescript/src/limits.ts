/** The task's limits. Null if the runner set none, or outside a runner. */
export interface Limits {
  readonly task: string | null;
  readonly attempt: number | null;
  readonly maxSteps: number | null;
  readonly agentTimeoutSec: number | null;
  readonly stepTimeoutSec: number | null;
  readonly commandTimeoutSec: number | null;
  /** Seconds since this process started. */
  readonly elapsedSec: number;
  /** The agent's remaining time; Infinity without a limit, never below 0. */
  readonly timeLeftSec: number;
}

export function limits(env: Record<string, string | undefined> = process.env): Limits {
  const agentTimeoutSec = numberOf(env.TERM_AGENT_TIMEOUT_SEC);
  return {
    task: env.TERM_TASK || null,
    attempt: integerOf(env.TERM_ATTEMPT),
    maxSteps: integerOf(env.TERM_MAX_STEPS),
    agentTimeoutSec,
    stepTimeoutSec: numberOf(env.TERM_STEP_TIMEOUT_SEC),
    commandTimeoutSec: numberOf(env.TERM_COMMAND_TIMEOUT_SEC),
    get elapsedSec() {
      return performance.now() / 1000;
    },
    get timeLeftSec() {
      return Math.max(0, (agentTimeoutSec ?? Infinity) - this.elapsedSec);
    },
  };
}

/** Anything but a plain decimal number counts as unset. */
function numberOf(value: string | undefined): number | null {
  return /^\d+(\.\d+)?$/.test(value ?? "") ? Number(value) : null;
}

function integerOf(value: string | undefined): number | null {
  return /^\d+$/.test(value ?? "") ? Number(value) : null;
}

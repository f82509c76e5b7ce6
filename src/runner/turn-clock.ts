import { WorkStopped } from "../agent/index.js";
import type { Task } from "../interfaces/index.js";

/** Lets agents that keep their own time stop by themselves before they are stopped. */
const GRACE_MS = 2_000;
/** Node's timers can't wait longer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface TurnClock {
  /** null: no limit. */
  timeoutSec: number | null;
  elapsed(): number;
  /** Milliseconds; Infinity without a limit. */
  timeLeft(): number;
  /** Aborted when the agent's time and a short grace period are over. */
  expired: AbortSignal;
  stop(): void;
}

/** The time that an agent has for one instruction, from now on. */
export function startTurnClock(task: Task, multiplier: number): TurnClock {
  const began = performance.now();
  const timeoutSec = task.agentTimeoutSec === null ? null : task.agentTimeoutSec * multiplier;
  const budget = timeoutSec === null ? Number.POSITIVE_INFINITY : timeoutSec * 1000;
  const expired = new AbortController();
  const most = Math.min(budget + GRACE_MS, MAX_TIMER_MS);
  const timer =
    timeoutSec === null ? undefined : setTimeout(() => expired.abort(WorkStopped.byTime()), most);
  const elapsed = () => performance.now() - began;
  return {
    timeoutSec,
    elapsed,
    timeLeft: () => budget - elapsed(),
    expired: expired.signal,
    stop: () => clearTimeout(timer),
  };
}

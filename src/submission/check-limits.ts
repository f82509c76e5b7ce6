import type { LimitsRecord, RunRecord } from "../events/index.js";
import type { Problem } from "./problem.js";
import type { Trace } from "./trace.js";

/** The rules that a leaderboard requires. */
export interface ExpectedRules {
  limits: LimitsRecord;
  gradeTimeouts: boolean;
}

/** Time to kill what timed out, before it is logged. */
const GRACE_SEC = 30;
/** For the marker where output was cut. */
const GRACE_BYTES = 1000;

export function checkLimits(record: RunRecord, expected: ExpectedRules): Problem[] {
  const stated = { ...record.limits, grade_timeouts: record.grade_timeouts };
  const wanted = { ...expected.limits, grade_timeouts: expected.gradeTimeouts };
  return (Object.keys(wanted) as (keyof typeof wanted)[])
    .filter((name) => stated[name] !== wanted[name])
    .map((name) => ({
      code: "limits",
      where: "run.json",
      message: `${name} is ${stated[name]}, but ${wanted[name]} is required`,
    }));
}

/** Whether a log shows more than the stated limits allow. */
export function checkLimitsHeld(
  { most, agents, parts, started }: Trace,
  limits: LimitsRecord,
  /** The task's own time limit for the agent, if it has one and it is known. */
  agentTimeoutSec: number | null,
): string[] {
  // A task's solution may take as long as the whole agent phase.
  const commandLimit = started?.agent === "oracle" ? Infinity : limits.command_timeout_sec;
  // Each part of a task has its own time limit.
  const agentLimit = parts > 0 ? Infinity : (agentTimeoutSec ?? Infinity);
  const measures: [what: string, seen: number, limit: number, grace: number][] = [
    ["steps", most.step, limits.max_steps, 0],
    ["invalid responses in a row", most.invalid, limits.max_invalid, 0],
    ["seconds for a response", most.responseSec, limits.step_timeout_sec, GRACE_SEC],
    ["seconds for a command", most.commandSec, commandLimit, GRACE_SEC],
    ["bytes of output", most.output, limits.output_limit_bytes, GRACE_BYTES],
    [
      "seconds for the agent",
      agents[0]?.duration_sec ?? 0,
      agentLimit * limits.timeout_multiplier,
      GRACE_SEC,
    ],
  ];
  return measures
    .filter(([, seen, limit, grace]) => seen > limit + grace)
    .map(([what, seen, limit]) => `its log shows ${seen} ${what}, but the limit is ${limit}`);
}

import type { LimitsRecord, RunRecord } from "../events/index.js";
import type { Problem } from "./problem.js";
import type { Trace } from "./trace.js";

/** The rules that a leaderboard asks for. */
export interface ExpectedRules {
  limits: LimitsRecord;
  gradeTimeouts: boolean;
}

/** Time to end what ran out, before the log says so. */
const GRACE_SEC = 30;
/** For the mark where output was cut. */
const GRACE_BYTES = 1000;

export function checkLimits(record: RunRecord, expected: ExpectedRules): Problem[] {
  const stated = { ...record.limits, grade_timeouts: record.grade_timeouts };
  const wanted = { ...expected.limits, grade_timeouts: expected.gradeTimeouts };
  return (Object.keys(wanted) as (keyof typeof wanted)[])
    .filter((name) => stated[name] !== wanted[name])
    .map((name) => ({
      code: "limits",
      where: "run.json",
      message: `${name} is ${stated[name]}, but ${wanted[name]} is asked for`,
    }));
}

/** Whether a log shows more than the stated limits would have let through. */
export function checkLimitsHeld(
  { most, agents, parts, started }: Trace,
  limits: LimitsRecord,
  /** The task's own time for the agent, if it is known and there is one. */
  agentTimeoutSec: number | null,
): string[] {
  // The solution of a task may take as long as the whole agent phase.
  const commandLimit = started?.agent === "oracle" ? Infinity : limits.command_timeout_sec;
  // Each part of a task has a time of its own.
  const agentLimit = parts > 0 ? Infinity : (agentTimeoutSec ?? Infinity);
  const measures: [what: string, seen: number, limit: number, grace: number][] = [
    ["steps", most.step, limits.max_steps, 0],
    ["invalid answers in a row", most.invalid, limits.max_invalid, 0],
    ["seconds for an answer", most.answerSec, limits.step_timeout_sec, GRACE_SEC],
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

import type { RunRecord } from "../events/types.js";

/** The first rule in which two runs differ, so that their results can't be added up. */
export function findDifference(
  one: RunRecord,
  other: RunRecord,
): { what: string; one: string; other: string } | null {
  const limits = Object.keys({ ...one.limits, ...other.limits }) as (keyof RunRecord["limits"])[];
  const rules: [what: string, one: unknown, other: unknown][] = [
    ["the agent", one.agent.spec, other.agent.spec],
    ["the sandbox", one.sandbox, other.sandbox],
    ["--grade-timeouts", one.grade_timeouts, other.grade_timeouts],
    ...limits.map(
      (name) =>
        [`the limit ${name}`, one.limits[name], other.limits[name]] as [string, unknown, unknown],
    ),
  ];
  const found = rules.find(([, a, b]) => JSON.stringify(a) !== JSON.stringify(b));
  return found ? { what: found[0], one: show(found[1]), other: show(found[2]) } : null;
}

function show(value: unknown): string {
  return typeof value === "string" ? value : String(JSON.stringify(value));
}

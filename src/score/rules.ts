import type { RunRecord } from "../events/index.js";

/** A rule under which two runs were made differently. */
export interface RuleDifference {
  name: string;
  values: [before: string, after: string];
}

/** What makes the numbers of two runs incomparable, apart from their tasks. */
export function compareRules(a: RunRecord, b: RunRecord): RuleDifference[] {
  const before = listRules(a);
  const after = listRules(b);
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((name): RuleDifference => {
      return { name, values: [before.get(name) ?? "unknown", after.get(name) ?? "unknown"] };
    })
    .filter(({ values }) => values[0] !== values[1]);
}

function listRules(record: RunRecord): Map<string, string> {
  const limits = Object.entries(record.limits).map(
    ([name, value]) => [name, String(value)] as const,
  );
  return new Map([
    ...limits,
    ["grade_timeouts", String(record.grade_timeouts)],
    ["sandbox", record.sandbox],
    ["term_run", record.term_run],
  ]);
}

/** The digest of each task of a run. */
export function listDigests(record: RunRecord): Map<string, string> {
  return new Map(record.trials.map(({ task, task_digest }) => [task, task_digest]));
}

/** The same text for runs that can be compared: the same tasks under the same rules. */
export function describeConditions(record: RunRecord): string {
  const tasks = [...listDigests(record)].sort(([a], [b]) => (a < b ? -1 : 1));
  const rules = [...listRules(record)].sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([tasks, rules]);
}

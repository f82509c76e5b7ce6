import type { RunRecord } from "../events/index.js";
import { compareRules, listDigests } from "./rules.js";

const MAX_NAMES = 5;

/** Descriptions of what keeps runs from being ranked together: other tasks, versions or limits. */
export function listMixtures(records: readonly RunRecord[]): string[] {
  const [first, ...others] = records;
  if (!first) return [];
  return others.flatMap((other) =>
    [...compareTaskSets(first, other), ...nameRules(first, other)].map(
      (difference) => `${other.run}: ${difference}`,
    ),
  );
}

function nameRules(first: RunRecord, other: RunRecord): string[] {
  return compareRules(first, other).map(
    ({ name, values }) => `${name} is ${values[1]}, but ${values[0]} in ${first.run}`,
  );
}

function compareTaskSets(first: RunRecord, other: RunRecord): string[] {
  const before = listDigests(first);
  const after = listDigests(other);
  const missing = [...before.keys()].filter((task) => !after.has(task));
  const added = [...after.keys()].filter((task) => !before.has(task));
  const changed = [...after].filter(
    ([task, digest]) => before.has(task) && before.get(task) !== digest,
  );
  return [
    ...listNames(`lacks tasks that ${first.run} has`, missing),
    ...listNames(`has tasks that ${first.run} lacks`, added),
    ...listNames(
      `has other versions of tasks than ${first.run}`,
      changed.map(([task]) => task),
    ),
  ];
}

function listNames(title: string, names: string[]): string[] {
  if (names.length === 0) return [];
  const rest = names.length > MAX_NAMES ? `, … ${names.length - MAX_NAMES} more` : "";
  return [`${title}: ${names.slice(0, MAX_NAMES).join(", ")}${rest}`];
}

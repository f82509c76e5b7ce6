import type { RunRecord, TrialResult } from "../events/index.js";
import { listDigests } from "./rules.js";

export interface ScoredRun {
  record: RunRecord;
  results: readonly TrialResult[];
}

export interface SubmittedRun extends ScoredRun {
  /** ISO 8601. */
  submittedAt: string;
}

/** How the tasks of two runs differ; `compared` is how many have results on both sides. */
export interface TaskDifference {
  compared: number;
  /** Tasks with the same name but different files. */
  changed: string[];
  only_baseline: string[];
  only_candidate: string[];
  /** In both, but one of them has no scored trial. */
  unscored: string[];
}

export function compareTasks(
  baselines: readonly ScoredRun[],
  candidate: ScoredRun,
  compared: ReadonlySet<string>,
): TaskDifference {
  const before = new Map(baselines.flatMap(({ record }) => [...listDigests(record)]));
  const after = listDigests(candidate.record);
  const common = [...before.keys()].filter((task) => after.has(task)).sort();
  return {
    compared: compared.size,
    changed: common.filter((task) => before.get(task) !== after.get(task)),
    only_baseline: [...before.keys()].filter((task) => !after.has(task)).sort(),
    only_candidate: [...after.keys()].filter((task) => !before.has(task)).sort(),
    unscored: common.filter((task) => !compared.has(task)),
  };
}

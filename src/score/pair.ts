import { TermRunError } from "../errors.js";
import type { TrialResult } from "../events/index.js";
import { averageReward } from "./reward.js";
import { groupByTask, isFlaky, keepScored, type Tally, tallyTasks } from "./tally.js";

type Counts = Omit<Tally, "task">;

/** One task with its results in two runs. */
export interface TaskPair {
  task: string;
  baseline: Counts;
  candidate: Counts;
}

/** The tasks with at least one scored trial in both; never none. */
export function pairTasks(
  baseline: readonly TrialResult[],
  candidate: readonly TrialResult[],
): TaskPair[] {
  const others = new Map(tallyTasks(candidate).map((tally) => [tally.task, tally]));
  const pairs = tallyTasks(baseline).flatMap(({ task, ...counts }) => {
    const other = others.get(task);
    if (!other || counts.scored === 0 || other.scored === 0) return [];
    const { passed, scored } = other;
    return [{ task, baseline: counts, candidate: { passed, scored } }];
  });
  if (pairs.length > 0) return pairs;
  throw new TermRunError("usage", "the runs have no scored task in common", {
    hint: "Runs are compared task by task: run both on the same tasks.",
  });
}

/** The change of the task's pass rate, from −1 to 1. */
export function changeOf({ baseline, candidate }: TaskPair): number {
  return shareOf(candidate) - shareOf(baseline);
}

/** The change of each task's mean reward. */
export function changesOfReward(
  pairs: readonly TaskPair[],
  baseline: readonly TrialResult[],
  candidate: readonly TrialResult[],
): number[] {
  const [before, after] = [groupByTask(baseline), groupByTask(candidate)];
  const mean = (results: TrialResult[] | undefined) =>
    averageReward(keepScored(results ?? [])) ?? 0;
  return pairs.map(({ task }) => mean(after.get(task)) - mean(before.get(task)));
}

export function shareOf({ passed, scored }: Counts): number {
  return passed / scored;
}

export function isNewlyFlaky({ baseline, candidate }: TaskPair): boolean {
  return isFlaky(candidate) && !isFlaky(baseline);
}

export function isNoLongerFlaky({ baseline, candidate }: TaskPair): boolean {
  return isFlaky(baseline) && !isFlaky(candidate);
}

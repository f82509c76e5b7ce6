import type { TrialResult } from "../events/index.js";
import { isFlaky, type Tally, tallyTasks } from "./tally.js";

type Counts = Omit<Tally, "task">;

/** One task with its results in two runs. */
export interface TaskPair {
  task: string;
  baseline: Counts;
  candidate: Counts;
}

/** The tasks with at least one scored trial in both. */
export function pairTasks(
  baseline: readonly TrialResult[],
  candidate: readonly TrialResult[],
): TaskPair[] {
  const others = new Map(tallyTasks(candidate).map((tally) => [tally.task, tally]));
  return tallyTasks(baseline).flatMap(({ task, ...counts }) => {
    const other = others.get(task);
    if (!other || counts.scored === 0 || other.scored === 0) return [];
    const { passed, scored } = other;
    return [{ task, baseline: counts, candidate: { passed, scored } }];
  });
}

/** The change of the task's pass rate, from −1 to 1. */
export function changeOf({ baseline, candidate }: TaskPair): number {
  return shareOf(candidate) - shareOf(baseline);
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

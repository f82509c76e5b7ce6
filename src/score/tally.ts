import { isScored, type TrialResult } from "../events/index.js";

/** How often one task passed, of the trials that count. */
export interface Tally {
  task: string;
  passed: number;
  scored: number;
}

/** The results of each task, by name. */
export function groupByTask(results: readonly TrialResult[]): Map<string, TrialResult[]> {
  const byTask = new Map<string, TrialResult[]>();
  for (const result of results) {
    const known = byTask.get(result.task);
    if (known) known.push(result);
    else byTask.set(result.task, [result]);
  }
  // By code unit: the same order on every machine, whatever its locale.
  return new Map([...byTask].sort(([a], [b]) => (a < b ? -1 : 1)));
}

export function tallyTasks(results: readonly TrialResult[]): Tally[] {
  return [...groupByTask(results)].map(([task, trials]) => {
    const scored = keepScored(trials);
    return { task, passed: countPassed(scored), scored: scored.length };
  });
}

export function keepScored(results: readonly TrialResult[]): TrialResult[] {
  return results.filter((result) => isScored(result.outcome));
}

export function countPassed(results: readonly TrialResult[]): number {
  return results.filter((result) => result.outcome === "passed").length;
}

/** A task that passed in some of its trials but not in all. */
export function isFlaky({ passed, scored }: Omit<Tally, "task">): boolean {
  return passed > 0 && passed < scored;
}

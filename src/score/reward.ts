import type { Interval, TrialResult } from "../events/index.js";
import { averageClusters, type Cluster } from "./clusters.js";
import { intervalOfShare } from "./share.js";
import { groupByTask } from "./tally.js";

/** A trial without a reward counts as 0. */
export function averageReward(scored: readonly TrialResult[]): number | null {
  if (scored.length === 0) return null;
  return scored.reduce((sum, result) => sum + rewardOf(result), 0) / scored.length;
}

/** The interval of the mean reward for tasks like these; null if nothing was scored. */
export function intervalOfReward(scored: readonly TrialResult[]): Interval | null {
  const rewards = scored.map(rewardOf);
  // Rewards may be outside 0 to 1: the range that was seen takes its place then.
  const least = rewards.reduce((low, reward) => Math.min(low, reward), 0);
  const range = rewards.reduce((high, reward) => Math.max(high, reward), 1) - least;
  const mean = averageClusters(
    clusterTrials(scored, (result) => (rewardOf(result) - least) / range),
  );
  if (!mean) return null;
  const { low, high } = intervalOfShare({ ...mean, value: Math.min(1, Math.max(0, mean.value)) });
  return { low: least + low * range, high: least + high * range };
}

/** One cluster for each task; with a single task, one for each of its trials. */
export function clusterTrials(
  results: readonly TrialResult[],
  pick: (result: TrialResult) => number | null,
): Cluster[] {
  const byTask = [...groupByTask(results).values()].map((trials) =>
    trials.map(pick).filter((value) => value !== null),
  );
  const groups = byTask.filter((values) => values.length > 0);
  const [only, ...others] = groups;
  if (only && others.length === 0) return only.map((sum) => ({ sum, count: 1 }));
  return groups.map((values) => ({
    sum: values.reduce((sum, value) => sum + value, 0),
    count: values.length,
  }));
}

function rewardOf({ reward }: TrialResult): number {
  return reward ?? 0;
}

import type { RateOfK } from "../events/index.js";
import { averageClusters } from "./clusters.js";
import { intervalOfShare } from "./share.js";
import type { Tally } from "./tally.js";

/** Chance that at least one of k trials drawn from these passed: 1 − C(n−c, k) / C(n, k). */
export function passAtK(scored: number, passed: number, k: number): number | null {
  if (scored < k) return null;
  if (scored - passed < k) return 1;
  // As a product, because binomials of hundreds of trials overflow.
  let allFailed = 1;
  for (let i = scored - passed + 1; i <= scored; i += 1) allFailed *= 1 - k / i;
  return 1 - allFailed;
}

/** Chance that all of k trials drawn from these passed: C(c, k) / C(n, k). */
export function passHatK(scored: number, passed: number, k: number): number | null {
  if (scored < k) return null;
  let allPassed = 1;
  for (let i = 0; i < k; i += 1) allPassed *= Math.max(0, passed - i) / (scored - i);
  return allPassed;
}

/** The average over tasks for every k up to the attempts; tasks with fewer trials are left out. */
export function averageOverTasks(
  tallies: readonly Tally[],
  attempts: number,
  measure: (scored: number, passed: number, k: number) => number | null,
): RateOfK[] {
  return Array.from({ length: attempts }, (_, index) => {
    const k = index + 1;
    const values = tallies
      .map(({ scored, passed }) => measure(scored, passed, k))
      .filter((value) => value !== null);
    const trials = tallies.reduce((sum, { scored }) => sum + (scored >= k ? scored : 0), 0);
    return { k, ...averageTasks(values, trials), tasks: values.length };
  });
}

function averageTasks(values: readonly number[], trials: number): Omit<RateOfK, "k" | "tasks"> {
  const mean = averageClusters(values.map((sum) => ({ sum, count: 1 })));
  if (!mean) return { value: null, low: null, high: null };
  // Rounding must not push a sum of shares beyond all of them.
  const value = Math.min(1, mean.value);
  const { low, high } = intervalOfShare({ ...mean, value, count: trials });
  return { value, low, high };
}

import type { RateOfK } from "../events/index.js";
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
    const sum = values.reduce((total, value) => total + value, 0);
    return { k, value: values.length === 0 ? null : sum / values.length, tasks: values.length };
  });
}

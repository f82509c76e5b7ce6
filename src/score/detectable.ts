import { normalCdf, normalQuantile } from "./normal.js";
import type { TaskPair } from "./pair.js";
import { studentT } from "./student-t.js";

const POWER = 0.8;

/**
 * The smallest drop of the pass rate that the within-task test would have found with 80 % power,
 * if every task lost the same share of its passes; null if it can't even find a total collapse.
 */
export function detectableDrop(pairs: readonly TaskPair[], alpha: number): number | null {
  const before = pairs.map(({ baseline }) => baseline);
  const rate = sumOf(before, ({ passed }) => passed) / sumOf(before, ({ scored }) => scored);
  if (!(rate > 0)) return null;
  const designs = pairs.map(({ baseline, candidate }) => ({
    // One attempt more with the average rate: a task that passed once doesn't pass for certain.
    rate: (baseline.passed + rate) / (baseline.scored + 1),
    before: baseline.scored,
    after: candidate.scored,
    tasks: 1,
  }));
  const mean = sumOf(designs, (design) => design.rate * design.after);
  const all = sumOf(designs, ({ after }) => after);
  if (powerOfDrop(designs, 1, alpha) < POWER) return null;
  return (search((share) => powerOfDrop(designs, share, alpha) >= POWER) * mean) / all;
}

/** A task, or several alike: how often it passes, and how many attempts each run has. */
export interface Design {
  rate: number;
  before: number;
  after: number;
  /** How many such tasks there are. */
  tasks: number;
}

/** The power of the within-task test if this share of the passes is lost, by normal approximation. */
export function powerOfDrop(designs: readonly Design[], lost: number, alpha: number): number {
  let shift = 0;
  let underNull = 0;
  let spread = 0;
  for (const { rate, before, after, tasks } of designs) {
    const now = rate * (1 - lost);
    const all = before + after;
    shift += (tasks * (rate - now) * before * after) / all;
    const passes = before * rate + after * now;
    const variance = before * rate * (1 - rate) + after * now * (1 - now);
    // The expected variance of the hypergeometric distribution, over what the passes may be.
    const product = passes * all - variance - passes ** 2;
    underNull += (tasks * before * after * product) / (all ** 2 * (all - 1));
    const parts = after * now * (1 - now) * before ** 2 + before * rate * (1 - rate) * after ** 2;
    spread += (tasks * parts) / all ** 2;
  }
  const limit = 0.5 + normalQuantile(1 - alpha) * Math.sqrt(underNull);
  if (spread < 1e-12) return shift > limit ? 1 : 0;
  return normalCdf((shift - limit) / Math.sqrt(spread));
}

/**
 * The smallest difference of the means that the sign-flip test would have found with 80 % power;
 * null if there are too few tasks for it to find any.
 */
export function detectableDifference(changes: readonly number[], alpha: number): number | null {
  const tasks = changes.length;
  if (2 ** (1 - tasks) > alpha) return null;
  // As in the interval: half a task more is won, and half a task more is lost.
  const values = [...changes, 0.5, -0.5];
  const mean = sumOf(values, (value) => value) / values.length;
  const variance = sumOf(values, (value) => (value - mean) ** 2) / (values.length - 1);
  const error = Math.sqrt(variance / values.length);
  const difference = (studentT(1 - alpha, tasks - 1) + normalQuantile(POWER)) * error;
  return difference > 1 ? null : difference;
}

/** The smallest share from 0 to 1 for which it holds, if it holds for all larger ones. */
export function search(holds: (share: number) => boolean): number {
  let low = 0;
  let high = 1;
  for (let round = 0; round < 30; round += 1) {
    const middle = (low + high) / 2;
    if (holds(middle)) high = middle;
    else low = middle;
  }
  return high;
}

function sumOf<T>(list: readonly T[], pick: (item: T) => number): number {
  return list.reduce((sum, item) => sum + pick(item), 0);
}

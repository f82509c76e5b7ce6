import { createRandom } from "./random.js";
import type { Interval } from "./wilson.js";

export const RESAMPLES = 10_000;
/** Fixed, so that the same two runs always give the same interval. */
export const SEED = 20_260_101;

/** Percentile interval of the mean: the values are drawn again, with replacement, many times. */
export function bootstrapMean(values: readonly number[], level: number): Interval {
  const random = createRandom(SEED);
  const means = new Float64Array(RESAMPLES);
  for (let round = 0; round < RESAMPLES; round += 1) {
    let sum = 0;
    for (let draw = 0; draw < values.length; draw += 1)
      sum += values[Math.floor(random() * values.length)] as number;
    means[round] = sum / values.length;
  }
  means.sort();
  const cut = Math.floor(((1 - level) / 2) * RESAMPLES);
  return { low: means[cut] as number, high: means[RESAMPLES - 1 - cut] as number };
}

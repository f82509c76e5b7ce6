import type { Interval } from "../events/index.js";
import { type ClusteredMean, squaredError } from "./clusters.js";
import { studentT } from "./student-t.js";
import { wilsonInterval, Z } from "./wilson.js";

export interface ShareInterval extends Interval {
  /** How many independent trials the tasks are worth. */
  units: number;
  standard_error: number | null;
}

/**
 * The interval of a mean between 0 and 1 for tasks like these: Wilson's, on the number of
 * independent trials that have the same standard error.
 */
export function intervalOfShare({ value, points, count }: ClusteredMean): ShareInterval {
  const tasks = points.length;
  const units = countEffective(value, points, count);
  const interval = wilsonInterval(value, units);
  // Without a failure nothing shows how alike the trials of a task are, so each task counts once.
  // A worse result must not look surer than that.
  const best = wilsonInterval(1, tasks).low;
  const worst = wilsonInterval(0, tasks).high;
  const error = squaredError(points, value);
  return {
    low: Math.max(0, Math.min(interval.low, best)),
    high: Math.min(1, Math.max(interval.high, worst)),
    units,
    standard_error: error === null ? null : Math.sqrt(error),
  };
}

function countEffective(value: number, points: readonly number[], count: number): number {
  const tasks = points.length;
  const error = squaredError(points, value);
  if (!error) return tasks;
  // The standard error is an estimate itself, and a poor one from few tasks.
  const doubt = Z / studentT(0.95, tasks - 1);
  const units = ((value * (1 - value)) / error) * doubt;
  return Math.min(Math.max(units, tasks), count);
}

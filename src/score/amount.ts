import type { Interval } from "../events/index.js";
import { type ClusteredMean, squaredError } from "./clusters.js";
import { studentT } from "./student-t.js";

/** Few tasks show less skew than there is; this factor restores the coverage. */
const HIDDEN_SKEW = 1.3;

/**
 * The interval of a mean time or cost for tasks like these. A few slow tasks make such means
 * skewed, so Student's t is corrected for it (Hall's transformation); null when nothing varies.
 */
export function intervalOfAmount({ value, points }: ClusteredMean): Interval | null {
  const error = squaredError(points, value);
  if (!error) return null;
  const tasks = points.length;
  const t = studentT(0.95, tasks - 1);
  const bend = (HIDDEN_SKEW * skewOf(points, value)) / (3 * Math.sqrt(tasks));
  const step = (at: number) => {
    if (Math.abs(bend) < 1e-9) return at;
    return (Math.cbrt(1 + 3 * bend * (at - bend / 2)) - 1) / bend;
  };
  const scale = Math.sqrt(error);
  const low = value - scale * step(t);
  // Neither time nor cost can be negative.
  return { low: value > 0 ? Math.max(0, low) : low, high: value - scale * step(-t) };
}

/** The adjusted skewness of a sample; 0 where two points can't show any. */
function skewOf(points: readonly number[], mean: number): number {
  const count = points.length;
  if (count < 3) return 0;
  const moment = (power: number) =>
    points.reduce((sum, point) => sum + (point - mean) ** power, 0) / count;
  return ((moment(3) / moment(2) ** 1.5) * Math.sqrt(count * (count - 1))) / (count - 2);
}

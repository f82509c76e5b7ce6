/** What one task adds to a mean over trials: the sum of its values and how many there are. */
export interface Cluster {
  sum: number;
  count: number;
}

export interface ClusteredMean {
  value: number;
  /** One per task, with the same mean; equal numbers of trials make them the tasks' own means. */
  points: number[];
  /** How many values there are in all. */
  count: number;
}

/**
 * A mean over trials with tasks as the sample. With one task its trials can't be told apart here:
 * the caller gives them as clusters of one.
 */
export function averageClusters(clusters: readonly Cluster[]): ClusteredMean | null {
  const used = clusters.filter(({ count }) => count > 0);
  const count = used.reduce((sum, cluster) => sum + cluster.count, 0);
  if (count === 0) return null;
  const value = used.reduce((total, { sum }) => total + sum, 0) / count;
  const weight = used.length / count;
  return {
    value,
    points: used.map((cluster) => value + (cluster.sum - cluster.count * value) * weight),
    count,
  };
}

/** The squared standard error of the mean of these points; null with fewer than two. */
export function squaredError(points: readonly number[], mean: number): number | null {
  if (points.length < 2) return null;
  const squares = points.reduce((sum, point) => sum + (point - mean) ** 2, 0);
  const error = squares / (points.length - 1) / points.length;
  // A spread of 0 may come out slightly above 0 because of rounding.
  return error < 1e-18 * (1 + mean ** 2) ? 0 : error;
}

const MAX_SCALE = 2520;
const MAX_WORK = 2e7;

export interface Lattice {
  /** What makes all of the sizes whole numbers. */
  scale: number;
  sizes: number[];
}

/** Differences of pass rates are fractions: their common denominator; null if it is too large. */
export function findLattice(sizes: readonly number[]): Lattice | null {
  for (let scale = 1; scale <= MAX_SCALE; scale += 1) {
    if (sizes.some((size) => Math.abs(size * scale - Math.round(size * scale)) > 1e-9)) continue;
    const whole = sizes.map((size) => Math.round(size * scale));
    const total = whole.reduce((sum, size) => sum + size, 0);
    return total * whole.length <= MAX_WORK ? { scale, sizes: whole } : null;
  }
  return null;
}

/** How often the sum of whole numbers with random signs is at least so far from 0. */
export function shareAtLeast(sizes: readonly number[], distance: number): number {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  // The chance of each sum of those that are positive; then the signed sum is twice it − total.
  const chances = new Float64Array(total + 1);
  chances[0] = 1;
  let reached = 0;
  for (const size of sizes) {
    reached += size;
    for (let sum = reached; sum >= 0; sum -= 1)
      chances[sum] =
        ((chances[sum] as number) + (sum >= size ? (chances[sum - size] as number) : 0)) / 2;
  }
  let share = 0;
  for (const [sum, chance] of chances.entries())
    if (Math.abs(2 * sum - total) >= distance) share += chance;
  return Math.min(1, share);
}

import type { Interval } from "../events/index.js";
import { findLattice, shareAtLeast } from "./lattice.js";
import { createRandom } from "./random.js";

/** Fixed, so that the same two runs always give the same numbers. */
const SEED = 20_260_101;
const DRAWS = 9_999;
/** Above this, flipping signs one by one takes too long; drawing them at random doesn't. */
const MAX_ENUMERATED = 18;

export interface SignFlip {
  p_value: number;
  method: "exact" | "monte_carlo";
}

/**
 * Two-sided sign-flip permutation test: if two agents are equally good, the difference on each task
 * could as well have the other sign. How often is the sum then at least as far from 0?
 */
export function testSigns(differences: readonly number[]): SignFlip {
  const sizes = differences.filter((value) => value !== 0).map(Math.abs);
  const observed = Math.abs(differences.reduce((sum, value) => sum + value, 0));
  if (sizes.length === 0) return { p_value: 1, method: "exact" };
  const lattice = findLattice(sizes);
  if (lattice) {
    const p_value = shareAtLeast(lattice.sizes, Math.round(observed * lattice.scale));
    return { p_value, method: "exact" };
  }
  if (sizes.length <= MAX_ENUMERATED)
    return { p_value: enumerate(sizes, observed), method: "exact" };
  return { p_value: draw(sizes, observed), method: "monte_carlo" };
}

/**
 * The differences that this test would not reject, by drawing subsets: the means of random subsets
 * of the differences are its quantiles (Hartigan's typical values). Half a task more is won and half
 * a task more is lost, because tasks that never differed don't prove that they never will.
 */
export function invertSigns(differences: readonly number[], level: number): Interval {
  const values = [...differences, 0.5, -0.5];
  const random = createRandom(SEED);
  const means = new Float64Array(DRAWS);
  for (let round = 0; round < DRAWS; round += 1) {
    let sum = 0;
    let count = 0;
    while (count === 0)
      for (const value of values)
        if (random() < 0.5) {
          sum += value;
          count += 1;
        }
    means[round] = sum / count;
  }
  means.sort();
  const cut = Math.max(0, Math.floor(((1 - level) / 2) * (DRAWS + 1)) - 1);
  return { low: means[cut] as number, high: means[DRAWS - 1 - cut] as number };
}

function enumerate(sizes: readonly number[], observed: number): number {
  let sum = sizes.reduce((total, size) => total + size, 0);
  const enough = observed - 1e-9 * sum;
  const signs = sizes.map(() => 1);
  let extreme = Math.abs(sum) >= enough ? 1 : 0;
  const all = 2 ** sizes.length;
  for (let step = 1; step < all; step += 1) {
    // In the order of a Gray code, each step flips one sign.
    const at = 31 - Math.clz32(step & -step);
    sum -= 2 * (signs[at] as number) * (sizes[at] as number);
    signs[at] = -(signs[at] as number);
    if (Math.abs(sum) >= enough) extreme += 1;
  }
  return extreme / all;
}

// The observed signs count as one of the draws, which keeps the test valid.
function draw(sizes: readonly number[], observed: number): number {
  const random = createRandom(SEED);
  const enough = observed - 1e-9 * sizes.reduce((total, size) => total + size, 0);
  let extreme = 1;
  for (let round = 0; round < DRAWS; round += 1) {
    let sum = 0;
    for (const size of sizes) sum += random() < 0.5 ? size : -size;
    if (Math.abs(sum) >= enough) extreme += 1;
  }
  return extreme / (DRAWS + 1);
}

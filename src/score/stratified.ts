import type { TaskPair } from "./pair.js";

/**
 * One-sided exact test of "no task got worse": given how often each task passed in both runs
 * together, how likely is it that so few of these passes fall to the candidate? For each task
 * that is a hypergeometric distribution; their sum is computed exactly, by convolution.
 */
export function testForWorse(pairs: readonly TaskPair[]): number {
  let sums = [1];
  let observed = 0;
  for (const { baseline, candidate } of pairs) {
    const passes = baseline.passed + candidate.passed;
    const { least, shares } = hypergeometric(passes, baseline.scored, candidate.scored);
    // Counted from the least possible, so that tasks without any variation cost nothing.
    observed += candidate.passed - least;
    if (shares.length > 1) sums = convolve(sums, shares);
  }
  const tail = sums.slice(0, observed + 1).reduce((sum, share) => sum + share, 0);
  return Math.min(1, tail);
}

/** How many of these passes are the candidate's, if they are dealt out at random. */
function hypergeometric(passes: number, before: number, after: number) {
  const least = Math.max(0, passes - before);
  const most = Math.min(after, passes);
  const weights = [1];
  for (let count = least + 1; count <= most; count += 1) {
    const more = (after - count + 1) * (passes - count + 1);
    const fewer = count * (before - passes + count);
    weights.push((weights.at(-1) as number) * (more / fewer));
  }
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return { least, shares: weights.map((weight) => weight / total) };
}

function convolve(a: readonly number[], b: readonly number[]): number[] {
  const sums = new Array<number>(a.length + b.length - 1).fill(0);
  for (const [i, x] of a.entries())
    for (const [j, y] of b.entries()) sums[i + j] = (sums[i + j] as number) + x * y;
  return sums;
}

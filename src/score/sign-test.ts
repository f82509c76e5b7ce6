/**
 * Two-sided exact sign test: how often a fair coin would give a split at least this uneven.
 * With one attempt for each task this is McNemar's exact test.
 */
export function signTest(won: number, lost: number): number {
  const flips = won + lost;
  const fewer = Math.min(won, lost);
  // In logarithms, because 2^-flips is 0 for more than a thousand.
  let logTerm = -flips * Math.LN2;
  let tail = 0;
  for (let heads = 0; heads <= fewer; heads += 1) {
    tail += Math.exp(logTerm);
    logTerm += Math.log((flips - heads) / (heads + 1));
  }
  return Math.min(1, 2 * tail);
}

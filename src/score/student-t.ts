/** Two-sided quantile of Student's t: the share `level` of the distribution lies within ±t. */
export function studentT(level: number, degrees: number): number {
  let low = 0;
  let high = Math.PI / 2;
  // Over the angle instead of t: the range is finite, and halving it 60 times is exact enough.
  for (let round = 0; round < 60; round += 1) {
    const middle = (low + high) / 2;
    if (shareWithin(middle, degrees) < level) low = middle;
    else high = middle;
  }
  return Math.sqrt(degrees) * Math.tan((low + high) / 2);
}

/**
 * P(|T| < t) for whole degrees of freedom, with angle = atan(t / √degrees): the finite series of
 * Abramowitz and Stegun, 26.7.3 and 26.7.4.
 */
function shareWithin(angle: number, degrees: number): number {
  const odd = degrees % 2 === 1;
  const square = Math.cos(angle) ** 2;
  let term = odd ? Math.cos(angle) : 1;
  let sum = degrees === 1 ? 0 : term;
  for (let factor = odd ? 2 : 1; factor <= degrees - 3; factor += 2) {
    term *= (square * factor) / (factor + 1);
    sum += term;
  }
  const series = Math.sin(angle) * sum;
  return odd ? (2 / Math.PI) * (angle + series) : series;
}

/** P(Z < x) of the standard normal distribution (Marsaglia's series; exact to about 1e-15). */
export function normalCdf(x: number): number {
  if (x < -8) return 0;
  if (x > 8) return 1;
  let sum = x;
  let term = x;
  for (let odd = 3; Math.abs(term) > 1e-17 * Math.abs(sum); odd += 2) {
    term *= (x * x) / odd;
    sum += term;
  }
  return 0.5 + sum * (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI));
}

/** The x below which a share of the distribution lies. */
export function normalQuantile(share: number): number {
  let low = -8;
  let high = 8;
  for (let round = 0; round < 60; round += 1) {
    const middle = (low + high) / 2;
    if (normalCdf(middle) < share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

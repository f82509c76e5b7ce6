import { createRandom } from "../../src/score/random.ts";

/** Draws of the distributions that the simulation needs. @param {number} seed */
export function createDraws(seed) {
  const random = createRandom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  /** Marsaglia and Tsang. @param {number} shape @returns {number} */
  const gamma = (shape) => {
    if (shape < 1) return gamma(shape + 1) * (1 - random()) ** (1 / shape);
    const d = shape - 1 / 3;
    for (;;) {
      const x = normal();
      const v = (1 + x / Math.sqrt(9 * d)) ** 3;
      if (v > 0 && Math.log(1 - random()) < x ** 2 / 2 + d - d * v + d * Math.log(v)) return d * v;
    }
  };
  return {
    random,
    normal,
    /** @param {number} low @param {number} high */
    between: (low, high) => low + (high - low) * random(),
    /** @param {number} mean @param {number} correlation of two attempts at the same task */
    beta(mean, correlation) {
      if (correlation === 0) return mean;
      if (correlation === 1) return random() < mean ? 1 : 0;
      const size = 1 / correlation - 1;
      const a = gamma(mean * size);
      const b = gamma((1 - mean) * size);
      // Both underflow to 0 for tasks that are all but certain.
      return a + b === 0 ? (random() < mean ? 1 : 0) : a / (a + b);
    },
    /** @param {number} trials @param {number} chance */
    count(trials, chance) {
      let passed = 0;
      for (let trial = 0; trial < trials; trial += 1) if (random() < chance) passed += 1;
      return passed;
    },
  };
}

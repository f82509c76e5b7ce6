import type { Rate } from "../events/types.js";

/** The normal quantile for 95 %, two-sided. */
const Z = 1.959963984540054;

/** A pass rate with its Wilson interval, which stays honest at 0 %, at 100 % and for few trials. */
export function computeRate(passed: number, of: number): Rate {
  if (of === 0) return { value: null, low: null, high: null, passed, of };
  const value = passed / of;
  const scale = 1 + Z ** 2 / of;
  const centre = (value + Z ** 2 / (2 * of)) / scale;
  const half = (Z / scale) * Math.sqrt((value * (1 - value)) / of + Z ** 2 / (4 * of ** 2));
  // The ends are exact there; floating point would leave 1e-17 or 0.9999999.
  const low = passed === 0 ? 0 : centre - half;
  const high = passed === of ? 1 : centre + half;
  return { value, low, high, passed, of };
}

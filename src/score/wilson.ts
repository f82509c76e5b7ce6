import type { Interval, Rate } from "../events/index.js";

/** The normal quantile for 95 %, two-sided. */
export const Z = 1.959963984540054;

/** A pass rate of independent trials with its Wilson interval, which stays valid at 0 and 100 %. */
export function computeRate(passed: number, of: number): Rate {
  const base = { passed, of, method: "wilson", units: of, standard_error: null } as const;
  if (of === 0) return { value: null, low: null, high: null, these_tasks: null, ...base };
  const value = passed / of;
  const interval = wilsonInterval(value, of);
  return { value, ...interval, these_tasks: interval, ...base };
}

/** The Wilson score interval (95 %) of a share of this many independent observations. */
export function wilsonInterval(share: number, units: number): Interval {
  const scale = 1 + Z ** 2 / units;
  const centre = (share + Z ** 2 / (2 * units)) / scale;
  const half = (Z / scale) * Math.sqrt((share * (1 - share)) / units + Z ** 2 / (4 * units ** 2));
  // The bounds are exact there; floating point would give 1e-17 or 0.9999999.
  return { low: share === 0 ? 0 : centre - half, high: share === 1 ? 1 : centre + half };
}

import type { PerTrial, Rate } from "../events/index.js";

interface Priced {
  pass_rate: Rate;
  per_trial: PerTrial;
}

/** Whether nobody else is at least as good and at most as expensive, and one of them strictly. */
export function findFrontier(agents: readonly Priced[]): (boolean | null)[] {
  return agents.map((agent) => {
    const own = priceOf(agent);
    if (!own) return null;
    return !agents.some((other) => {
      const { cost, rate } = priceOf(other) ?? { cost: Infinity, rate: -1 };
      const isNoWorse = cost <= own.cost && rate >= own.rate;
      return isNoWorse && (cost < own.cost || rate > own.rate);
    });
  });
}

/** null if some trial's cost is unknown: the average of the others may be too low. */
function priceOf({ pass_rate, per_trial }: Priced): { cost: number; rate: number } | null {
  const { cost_usd: cost, cost_trials, trials } = per_trial;
  if (cost === null || pass_rate.value === null || cost_trials < trials) return null;
  return { cost, rate: pass_rate.value };
}

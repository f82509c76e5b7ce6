import type { UsageTotals } from "../events/index.js";

/** Adds up what is known; null when nothing is. */
export function sumUsage(parts: Iterable<UsageTotals | null>): UsageTotals | null {
  let total: UsageTotals | null = null;
  for (const part of parts) {
    if (part) total = addUsage(total ?? emptyUsage(), part);
  }
  return total;
}

/** For one trial, whose cost is unknown if that of any try is. */
export function sumTries(tries: readonly (UsageTotals | null)[]): UsageTotals | null {
  const total = sumUsage(tries);
  const known = tries.every(
    (one) => one?.cost_usd !== null || !(one.input_tokens || one.output_tokens),
  );
  return known || !total ? total : { ...total, cost_usd: null };
}

function emptyUsage(): UsageTotals {
  return { models: [], input_tokens: 0, output_tokens: 0, cost_usd: null };
}

function addUsage(a: UsageTotals, b: UsageTotals): UsageTotals {
  return {
    // Sorted, because trials finish in any order.
    models: [...new Set([...a.models, ...b.models])].sort(),
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    cost_usd: addCosts(a.cost_usd, b.cost_usd),
  };
}

// An unknown cost is not a cost of 0.
function addCosts(a: number | null, b: number | null): number | null {
  if (a === null) return b;
  return b === null ? a : a + b;
}

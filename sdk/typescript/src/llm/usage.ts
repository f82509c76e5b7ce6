import type { Price } from "./config/types.js";
import type { Usage } from "./types.js";

/** The token counts that a provider reports for a call. */
export type TokenCounts = Pick<
  Usage,
  "inputTokens" | "outputTokens" | "cachedTokens" | "cacheWriteTokens"
>;

/** Null without a price or without counts: never a guess. */
export function costOf(counts: TokenCounts, price: Price | null): number | null {
  const { inputTokens, outputTokens } = counts;
  if (price === null || inputTokens === null || outputTokens === null) return null;
  const { input, output, cacheRead = input, cacheWrite = input } = price;
  const read = counts.cachedTokens ?? 0;
  const written = counts.cacheWriteTokens ?? 0;
  const fresh = inputTokens - read - written;
  return (fresh * input + read * cacheRead + written * cacheWrite + outputTokens * output) / 1e6;
}

/** Adds up the calls of a conversation or of a whole task. */
export class UsageTotals {
  totalInputTokens = 0;
  totalOutputTokens = 0;
  /** Of the input tokens, those read from the provider's cache. */
  totalCachedTokens = 0;
  invocations = 0;
  /** Calls without reported token counts: if there are any, the totals are lower bounds. */
  uncounted = 0;
  #costUsd = 0;
  #costKnown = true;

  /** Null once the cost of any call is unknown. */
  get costUsd(): number | null {
    return this.#costKnown ? this.#costUsd : null;
  }

  add(usage: Usage): void {
    this.invocations++;
    this.totalInputTokens += usage.inputTokens ?? 0;
    this.totalOutputTokens += usage.outputTokens ?? 0;
    this.totalCachedTokens += usage.cachedTokens ?? 0;
    if (usage.inputTokens === null || usage.outputTokens === null) this.uncounted++;
    if (usage.costUsd === null) this.#costKnown = false;
    else this.#costUsd += usage.costUsd;
  }
}

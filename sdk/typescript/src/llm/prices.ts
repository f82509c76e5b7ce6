import type { Price } from "./config/types.js";

const OPUS_4: Price = { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 };
const SONNET_4: Price = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
const HAIKU_4: Price = { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 };

/**
 * Public list prices as of November 2026, with five-minute cache writes. `price` in the
 * configuration takes precedence. Models whose price depends on the prompt's length are omitted.
 */
export const PRICES: Readonly<Record<string, Price>> = {
  "claude-opus-5-5": { input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5 },
  "claude-sonnet-5-5": { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5 },
  "claude-opus-5": { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
  "claude-sonnet-5": { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 },
  "claude-opus-4-6": OPUS_4,
  "claude-opus-4-5": OPUS_4,
  "claude-opus-4-5-20251101": OPUS_4,
  "claude-sonnet-4-6": SONNET_4,
  "claude-sonnet-4-5": SONNET_4,
  "claude-sonnet-4-5-20250929": SONNET_4,
  "claude-haiku-4-5": HAIKU_4,
  "claude-haiku-4-5-20251001": HAIKU_4,
};

import type { Price } from "./config/types.js";
import { PRICES } from "./prices.js";

interface KnownModel {
  contextTokens: number | null;
  price: Price | null;
  /** Set if the model supports it; the model then also returns its thinking. */
  thinking: "adaptive" | null;
}

/** Models with a context window of a million tokens that decide how much to think. */
const ADAPTIVE = new Set([
  "claude-sonnet-5-5",
  "claude-opus-5-5",
  "claude-haiku-5-5",
  "claude-sonnet-5",
  "claude-opus-5",
]);

/** Matches exact names only: a model with a similar name may differ in everything. */
export function knownModel(name: string): KnownModel {
  const adaptive = ADAPTIVE.has(name);
  return {
    contextTokens: adaptive ? 1_000_000 : null,
    price: PRICES[name] ?? null,
    thinking: adaptive ? "adaptive" : null,
  };
}

import type { Price } from "./config/config.js";
import { PRICES } from "./prices.js";

interface KnownModel {
  contextTokens: number | null;
  price: Price | null;
  /** Set where the model takes it; it then also shows what it thinks. */
  thinking: "adaptive" | null;
}

/** Models with a window of a million tokens that decide themselves how much to think. */
const ADAPTIVE = new Set([
  "claude-sonnet-5-5",
  "claude-opus-5-5",
  "claude-haiku-5-5",
  "claude-sonnet-5",
  "claude-opus-5",
]);

/** By the exact name only: a model of a similar name may differ in all of it. */
export function knownModel(name: string): KnownModel {
  const adaptive = ADAPTIVE.has(name);
  return {
    contextTokens: adaptive ? 1_000_000 : null,
    price: PRICES[name] ?? null,
    thinking: adaptive ? "adaptive" : null,
  };
}

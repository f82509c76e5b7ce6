import type { TrialResult } from "../events/index.js";

/** A trial without a reward counts as 0. */
export function averageReward(scored: readonly TrialResult[]): number | null {
  if (scored.length === 0) return null;
  return scored.reduce((sum, result) => sum + (result.reward ?? 0), 0) / scored.length;
}

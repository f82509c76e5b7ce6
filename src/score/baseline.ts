import type { Comparison } from "./compare.js";

export interface Judgement {
  /** `significant`: worse, and not by chance; `drop`: a larger drop than is allowed. */
  verdict: "ok" | "significant" | "drop";
  /** How far the pass rate dropped; negative when it rose. */
  drop: number;
}

/** Whether a run is so much worse than its baseline that CI should fail. */
export function judgeAgainstBaseline(
  comparison: Comparison,
  /** The largest allowed drop, whatever the statistics say; not checked if it is undefined. */
  maxDrop?: number,
): Judgement {
  const drop = -comparison.difference.value;
  if (comparison.verdict === "worse") return { verdict: "significant", drop };
  // A drop of exactly the allowed size is allowed, despite rounding.
  if (maxDrop !== undefined && drop > maxDrop + 1e-9) return { verdict: "drop", drop };
  return { verdict: "ok", drop };
}

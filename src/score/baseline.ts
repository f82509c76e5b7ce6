import type { Comparison } from "./compare.js";

export interface Judgement {
  /** `significant`: worse, and not by chance; `drop`: fell further than is allowed. */
  verdict: "ok" | "significant" | "drop";
  /** How far the pass rate fell; negative when it rose. */
  drop: number;
}

/** Whether a run is so much worse than its baseline that somebody must look. */
export function judgeAgainstBaseline(
  comparison: Comparison,
  /** The fall that is allowed whatever the statistics say; none is checked without it. */
  maxDrop?: number,
): Judgement {
  const drop = -comparison.difference.value;
  if (comparison.verdict === "worse") return { verdict: "significant", drop };
  // A fall of exactly the allowed size is allowed, whatever rounding makes of it.
  if (maxDrop !== undefined && drop > maxDrop + 1e-9) return { verdict: "drop", drop };
  return { verdict: "ok", drop };
}

import type { Comparison, Judgement } from "../score/index.js";
import { describeVerdict, formatPoints } from "./comparison.js";

/** A line on how a run compares with its baseline. */
export function describeJudgement(
  { verdict, drop }: Judgement,
  comparison: Comparison,
  maxDrop: number | undefined,
): string {
  const evidence = describeVerdict(comparison);
  if (verdict !== "drop") return `baseline: ${evidence}`;
  const change = formatPoints(-drop);
  return `baseline: ${change}, and --max-drop allows ${formatPoints(-(maxDrop ?? 0))} (${evidence})`;
}

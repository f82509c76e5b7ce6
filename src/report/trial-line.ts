import { type TrialResult, traitsOf } from "../events/index.js";
import { formatCount, formatDuration, formatNumber } from "./format.js";
import { hasPassed, paintOutcome } from "./outcome.js";
import type { Palette } from "./palette.js";
import type { Progress } from "./progress.js";
import { cleanLine } from "./text.js";

/** `[3/10] ✓ passed  hello-world.1  4 steps  1.2s`; what did not pass ends with the reason. */
export function describeResult(result: TrialResult, progress: Progress, palette: Palette): string {
  const finished = progress.results.length + 1;
  const total = Math.max(progress.planned, finished);
  const place = String(finished).padStart(String(total).length);
  const verdict = progress.running.get(result.trial)?.verdict ?? null;
  const reason = explainResult(result, verdict);
  return [
    `${palette.dim(`[${place}/${total}]`)} ${paintOutcome(result.outcome, palette)}`,
    palette.bold(cleanLine(result.trial)),
    ...describeEffort(result),
    ...(reason === null ? [] : [reason]),
  ].join("  ");
}

/** Why a trial did not pass, or passed only so; null when it simply did. */
function explainResult(result: TrialResult, verdict: string | null): string | null {
  if (result.relies_on_processes) return "only with the processes that the agent left running";
  if (hasPassed(result.outcome)) return null;
  if (result.error) return cleanLine(result.error.message);
  const reward = result.reward === null ? null : `reward ${formatNumber(result.reward)}`;
  if (reward !== null && verdict !== null) return `${reward}: ${verdict}`;
  return reward ?? verdict;
}

// The steps and the time of a trial that never started have no meaning.
function describeEffort(result: TrialResult): string[] {
  if (traitsOf(result.outcome).tone === "none" && result.steps === 0) return [];
  const parts = [formatCount(result.steps, "step"), formatDuration(result.durations.total_sec)];
  if (result.tries > 1) parts.push(`try ${result.tries}`);
  return parts;
}

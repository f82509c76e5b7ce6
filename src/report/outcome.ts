import {
  OUTCOMES,
  type Outcome,
  type OutcomeTraits,
  type TrialResult,
  traitsOf,
} from "../events/index.js";
import type { Palette } from "./palette.js";

type Tone = OutcomeTraits["tone"];
type OutcomeCounts = Partial<Record<Outcome, number>>;

export function outcomeOf(result: TrialResult | null): Outcome | "unfinished" {
  return result?.outcome ?? "unfinished";
}

export function hasPassed(outcome: Outcome): boolean {
  return traitsOf(outcome).tone === "good";
}

/** How many trials ended with an outcome of this tone. */
export function countTone(counts: OutcomeCounts, tone: Tone): number {
  return OUTCOMES.reduce(
    (sum, outcome) => sum + (traitsOf(outcome).tone === tone ? (counts[outcome] ?? 0) : 0),
    0,
  );
}

/** `✓ passed`, in its colour. */
export function paintOutcome(outcome: Outcome, palette: Palette): string {
  const { sign, tone } = traitsOf(outcome);
  const paints = {
    good: palette.green,
    bad: palette.red,
    broken: palette.yellow,
    none: palette.dim,
  } satisfies Record<Tone, unknown>;
  return paints[tone](`${sign} ${outcome}`);
}

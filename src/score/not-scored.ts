import { isScored, type Outcome, type Share, type TrialResult } from "../events/index.js";
import { countOutcomes } from "./outcome.js";
import { countPassed, keepScored } from "./tally.js";

/** The pass rate with infrastructure errors as failures; null if there are none. */
export function countErrors(results: readonly TrialResult[]): Share | null {
  const errors = results.filter(({ outcome }) => outcome === "infra_error").length;
  if (errors === 0) return null;
  const scored = keepScored(results);
  const passed = countPassed(scored);
  const of = scored.length + errors;
  return { value: passed / of, passed, of };
}

/** The tries that don't count, because their trials were run again. */
export function countDiscarded(results: readonly TrialResult[]): number {
  return results.reduce((sum, { tries }) => sum + Math.max(0, tries - 1), 0);
}

/** How often each outcome occurred that says nothing about the agent. */
export function countNotScored(results: readonly TrialResult[]): Partial<Record<Outcome, number>> {
  const counts = countOutcomes(results.map(({ outcome }) => outcome));
  const entries = Object.entries(counts) as [Outcome, number][];
  return Object.fromEntries(entries.filter(([name, count]) => count > 0 && !isScored(name)));
}

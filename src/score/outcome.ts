import { OUTCOMES, type Outcome } from "../events/types.js";

const NOT_SCORED: readonly Outcome[] = ["infra_error", "cancelled", "skipped"];

/** False for what says nothing about the agent, which no rate may count. */
export function isScored(outcome: Outcome): boolean {
  return !NOT_SCORED.includes(outcome);
}

/** How often each outcome came up, zeros included. */
export function countOutcomes(outcomes: Iterable<Outcome>): Record<Outcome, number> {
  const counts = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as Record<
    Outcome,
    number
  >;
  for (const outcome of outcomes) counts[outcome] += 1;
  return counts;
}

import { type AgentEnd, OUTCOMES, type Outcome } from "../events/index.js";

/** The first cause wins: an agent that failed stays failed, whatever the verifier finds. */
export function decideOutcome(
  end: AgentEnd,
  /** null when the verifier gave none. */
  reward: number | null,
  gradeTimeouts: boolean,
): Outcome {
  if (end === "agent_timeout" && gradeTimeouts && isFull(reward)) return "passed";
  if (end !== "completed") return end;
  if (reward === null) return "verifier_error";
  return isFull(reward) ? "passed" : "failed";
}

/** A reward above 1 is a bonus on top of it. */
function isFull(reward: number | null): boolean {
  return reward !== null && reward >= 1;
}

/** How often each outcome occurred, zeros included. */
export function countOutcomes(outcomes: Iterable<Outcome>): Record<Outcome, number> {
  const counts = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as Record<
    Outcome,
    number
  >;
  for (const outcome of outcomes) counts[outcome] += 1;
  return counts;
}

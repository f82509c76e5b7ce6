import type { RunRecord, TrialResult } from "../events/types.js";
import { isScored } from "../score/outcome.js";
import { sumUsage } from "../score/usage.js";
import { describeDifference, findDifference } from "./difference.js";
import type { Problem } from "./problem.js";
import { listPossibleOutcomes, type Trace } from "./trace.js";

export interface TrialEvidence {
  planned: RunRecord["trials"][number];
  result: TrialResult;
  trace: Trace;
  /** Of the tries before it, in order. */
  earlier: Trace[];
}

/** Whether a result is what its own log says. */
export function checkTrial(evidence: TrialEvidence, record: RunRecord): Problem[] {
  const where = evidence.planned.trial;
  const messages = [
    ...checkIdentity(evidence, record),
    ...checkScore(evidence, record),
    ...checkTries(evidence, record),
  ];
  return messages.map((message): Problem => ({ code: "score", where, message }));
}

function checkIdentity({ planned, result, trace }: TrialEvidence, record: RunRecord): string[] {
  const { agent, sandbox } = record;
  const stated = findDifference({ ...planned, agent: agent.name, sandbox }, result);
  const { trial, task, attempt } = planned;
  const logged = findDifference({ task, attempt, agent: agent.name }, trace.started);
  const messages: string[] = [];
  if (stated) messages.push(`${describeDifference(stated)} in result.json`);
  if (logged) messages.push(`${describeDifference(logged)} in its log`);
  if (trace.trials.size !== 1 || !trace.trials.has(trial))
    messages.push("its log is of another trial");
  if (trace.repeated.length > 0)
    messages.push(`its log has more than one ${trace.repeated.join(", ")}`);
  return messages;
}

function checkScore({ result, trace, earlier }: TrialEvidence, record: RunRecord): string[] {
  const final = trace.finished?.result;
  if (!final) return ["its log has no end"];
  const messages: string[] = [];
  const difference = findDifference(result, final) ?? findDifference(final, result);
  if (difference) messages.push(`result.json: ${describeDifference(difference)} in its log`);
  const proven = findDifference(
    { reward: result.reward, rewards: result.rewards, steps: result.steps, usage: result.usage },
    {
      reward: trace.verifier?.reward ?? null,
      rewards: trace.verifier?.rewards ?? null,
      steps: trace.agent?.steps ?? 0,
      usage: sumUsage([...lastOf(earlier, result.tries - 1), trace].map((part) => part.usage)),
    },
  );
  if (proven) messages.push(`${describeDifference(proven)} by the events of its log`);
  const possible = listPossibleOutcomes(trace, record.grade_timeouts);
  if (!possible.includes(result.outcome))
    messages.push(`the outcome is ${result.outcome}, but ${possible.join(" or ")} by its log`);
  return messages;
}

// Tries of an earlier go, before a resume, are not part of the bill.
function lastOf<T>(list: T[], count: number): T[] {
  return list.slice(Math.max(0, list.length - count));
}

/** A trial may run again after the machine failed, never after it was scored. */
function checkTries({ result, earlier }: TrialEvidence, record: RunRecord): string[] {
  const messages: string[] = [];
  if (earlier.length < result.tries - 1)
    messages.push(`it took ${result.tries} tries, but ${earlier.length} earlier logs are there`);
  for (const trace of earlier) {
    const possible = listPossibleOutcomes(trace, record.grade_timeouts);
    const scored = possible.every(isScored) && trace.verifier !== null;
    if (scored) messages.push(`it ran again although it was ${possible.join(" or ")} before`);
  }
  return messages;
}

/** The result as the log has it, for totals that owe nothing to what the files claim. */
export function rescore({ result, trace }: TrialEvidence, record: RunRecord): TrialResult {
  const possible = listPossibleOutcomes(trace, record.grade_timeouts);
  const [outcome = result.outcome] = possible.includes(result.outcome)
    ? [result.outcome]
    : possible;
  const { reward = null, rewards = null } = trace.verifier ?? {};
  return { ...result, outcome, reward, rewards, steps: trace.agent?.steps ?? 0 };
}

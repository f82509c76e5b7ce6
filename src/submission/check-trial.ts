import { isScored, type RunRecord, type TrialResult } from "../events/index.js";

import { sumTries } from "../score/index.js";
import { describeDifference, findDifference } from "./difference.js";
import { type LoggedResult, listPossibleResults } from "./possible-results.js";
import type { Problem } from "./problem.js";
import type { Trace } from "./trace.js";

export interface TrialEvidence {
  planned: RunRecord["trials"][number];
  result: TrialResult;
  trace: Trace;
  /** Of the tries before it, in order. */
  earlier: Trace[];
}

/** Whether a result agrees with its own log. */
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
    messages.push("its log belongs to another trial");
  if (trace.repeated.length > 0)
    messages.push(`its log has more than one ${trace.repeated.join(", ")}`);
  return messages;
}

function checkScore({ result, trace, earlier }: TrialEvidence, record: RunRecord): string[] {
  const final = trace.finished?.result;
  if (!final) return ["its log does not have the end of the trial"];
  const messages: string[] = [];
  const difference = findDifference(result, final) ?? findDifference(final, result);
  if (difference) messages.push(`result.json: ${describeDifference(difference)} in its log`);
  const possible = listPossibleResults(trace, record.grade_timeouts);
  const outcomes = nameOutcomes(possible);
  if (!possible.some(({ outcome }) => outcome === result.outcome))
    messages.push(`the outcome is ${result.outcome}, but ${outcomes} according to its log`);
  const proven = compareResult(result, chooseClosest(result, possible));
  if (proven) messages.push(`${describeDifference(proven)} according to the events in its log`);
  const usage = sumTries([...lastOf(earlier, result.tries - 1), trace].map((part) => part.usage));
  const spent = findDifference({ usage: result.usage }, { usage });
  if (spent) messages.push(`${describeDifference(spent)} according to the events in its log`);
  return messages;
}

/** The possible result closest to the stated one: all of it, else its outcome, else the first. */
function chooseClosest(result: TrialResult, possible: LoggedResult[]): LoggedResult {
  const alike = possible.filter(({ outcome }) => outcome === result.outcome);
  const fitting = alike.find((one) => !compareResult(result, one));
  return (fitting ?? alike[0] ?? possible[0]) as LoggedResult;
}

function compareResult({ reward, rewards, steps }: TrialResult, logged: LoggedResult) {
  return findDifference({ reward, rewards, steps }, logged);
}

function nameOutcomes(possible: LoggedResult[]): string {
  return [...new Set(possible.map(({ outcome }) => outcome))].join(" or ");
}

// Tries from before a resume don't count towards the usage.
function lastOf<T>(list: T[], count: number): T[] {
  return list.slice(Math.max(0, list.length - count));
}

/** A trial may be retried after an infrastructure error, never after it was scored. */
function checkTries({ result, earlier }: TrialEvidence, record: RunRecord): string[] {
  const messages: string[] = [];
  if (earlier.length < result.tries - 1)
    messages.push(
      `it took ${result.tries} tries, but there are only ${earlier.length} logs of earlier ones`,
    );
  for (const trace of earlier) {
    const possible = listPossibleResults(trace, record.grade_timeouts);
    if (trace.verifiers.length > 0 && possible.every(({ outcome }) => isScored(outcome)))
      messages.push(`it was run again although it had ended as ${nameOutcomes(possible)}`);
  }
  return messages;
}

/** The result as the log has it, for totals that don't depend on what the files claim. */
export function rescore({ result, trace }: TrialEvidence, record: RunRecord): TrialResult {
  return { ...result, ...chooseClosest(result, listPossibleResults(trace, record.grade_timeouts)) };
}

import { isScored, type RunRecord, type TrialResult } from "../events/index.js";

import { sumTries } from "../score/index.js";
import { describeDifference, findDifference } from "./difference.js";
import type { Problem } from "./problem.js";
import { listReadings, type Reading } from "./reading.js";
import type { Trace } from "./trace.js";

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
  const readings = listReadings(trace, record.grade_timeouts);
  const outcomes = nameOutcomes(readings);
  if (!readings.some(({ outcome }) => outcome === result.outcome))
    messages.push(`the outcome is ${result.outcome}, but ${outcomes} by its log`);
  const proven = compareReading(result, chooseReading(result, readings));
  if (proven) messages.push(`${describeDifference(proven)} by the events of its log`);
  const usage = sumTries([...lastOf(earlier, result.tries - 1), trace].map((part) => part.usage));
  const spent = findDifference({ usage: result.usage }, { usage });
  if (spent) messages.push(`${describeDifference(spent)} by the events of its log`);
  return messages;
}

/** The reading that fits best: all of it, else the outcome, else the first. */
function chooseReading(result: TrialResult, readings: Reading[]): Reading {
  const alike = readings.filter(({ outcome }) => outcome === result.outcome);
  const fitting = alike.find((reading) => !compareReading(result, reading));
  return (fitting ?? alike[0] ?? readings[0]) as Reading;
}

function compareReading({ reward, rewards, steps }: TrialResult, reading: Reading) {
  return findDifference({ reward, rewards, steps }, reading);
}

function nameOutcomes(readings: Reading[]): string {
  return [...new Set(readings.map(({ outcome }) => outcome))].join(" or ");
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
    const readings = listReadings(trace, record.grade_timeouts);
    if (trace.verifiers.length > 0 && readings.every(({ outcome }) => isScored(outcome)))
      messages.push(`it ran again although it was ${nameOutcomes(readings)} before`);
  }
  return messages;
}

/** The result as the log has it, for totals that owe nothing to what the files claim. */
export function rescore({ result, trace }: TrialEvidence, record: RunRecord): TrialResult {
  return { ...result, ...chooseReading(result, listReadings(trace, record.grade_timeouts)) };
}

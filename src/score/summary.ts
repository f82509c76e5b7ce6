import {
  FORMAT_VERSION,
  OUTCOMES,
  type Outcome,
  type RunSummary,
  type TaskSummary,
  type TrialResult,
} from "../events/types.js";
import { countOutcomes, isScored } from "./outcome.js";
import { sumUsage } from "./usage.js";
import { computeRate } from "./wilson.js";

interface SummaryInput {
  run: string;
  agent: string;
  /** ISO 8601, as in every persisted file. */
  startedAt: string;
  finishedAt: string;
  interrupted: boolean;
  /** How many trials the run was meant to have. */
  planned: number;
  results: readonly TrialResult[];
}

/** Content of `summary.json` from the results of a run. */
export function summarize(input: SummaryInput): RunSummary {
  const { results } = input;
  const scored = keepScored(results);
  return {
    format_version: FORMAT_VERSION,
    run: input.run,
    agent: input.agent,
    started_at: input.startedAt,
    finished_at: input.finishedAt,
    duration_sec: countSeconds(input.startedAt, input.finishedAt),
    interrupted: input.interrupted,
    trials: { planned: input.planned, finished: results.length, scored: scored.length },
    outcomes: countOutcomes(results.map((result) => result.outcome)),
    pass_rate: computeRate(countPassed(scored), scored.length),
    mean_reward: averageReward(scored),
    usage: sumUsage(results.map((result) => result.usage)),
    tasks: summarizeTasks(results),
  };
}

function summarizeTasks(results: readonly TrialResult[]): TaskSummary[] {
  const byTask = new Map<string, TrialResult[]>();
  for (const result of results) {
    const known = byTask.get(result.task);
    if (known) known.push(result);
    else byTask.set(result.task, [result]);
  }
  return (
    [...byTask]
      // By code unit: the same order on every machine, whatever its locale.
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([task, trials]) => summarizeTask(task, trials))
  );
}

function summarizeTask(task: string, trials: readonly TrialResult[]): TaskSummary {
  const scored = keepScored(trials);
  return {
    task,
    passed: countPassed(scored),
    scored: scored.length,
    mean_reward: averageReward(scored),
    outcomes: dropZeros(countOutcomes(trials.map((trial) => trial.outcome))),
  };
}

function keepScored(results: readonly TrialResult[]): TrialResult[] {
  return results.filter((result) => isScored(result.outcome));
}

function countPassed(results: readonly TrialResult[]): number {
  return results.filter((result) => result.outcome === "passed").length;
}

// A trial that never got as far as a reward earned none.
function averageReward(scored: readonly TrialResult[]): number | null {
  if (scored.length === 0) return null;
  return scored.reduce((sum, result) => sum + (result.reward ?? 0), 0) / scored.length;
}

function dropZeros(counts: Record<Outcome, number>): Partial<Record<Outcome, number>> {
  return Object.fromEntries(
    OUTCOMES.filter((outcome) => counts[outcome] > 0).map((outcome) => [outcome, counts[outcome]]),
  );
}

// A clock set back during the run must not give a negative time.
function countSeconds(from: string, to: string): number {
  return Math.max(0, Date.parse(to) - Date.parse(from)) / 1000;
}

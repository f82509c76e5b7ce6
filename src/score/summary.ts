import {
  FORMAT_VERSION,
  OUTCOMES,
  type Outcome,
  type RunRecord,
  type RunSummary,
  type TaskSummary,
  type TrialResult,
} from "../events/index.js";
import { summarizeGroups } from "./groups.js";
import { countDiscarded, countErrors } from "./not-scored.js";
import { countOutcomes } from "./outcome.js";
import { averageOverTasks, passAtK, passHatK } from "./pass-at-k.js";
import { ratePasses } from "./rate.js";
import { averageReward, intervalOfReward } from "./reward.js";
import { averagePass, averageTrial } from "./spending.js";
import { countPassed, groupByTask, isFlaky, keepScored, tallyTasks } from "./tally.js";
import { sumUsage } from "./usage.js";

interface SummaryInput {
  run: string;
  agent: string;
  /** ISO 8601, as in every persisted file. */
  startedAt: string;
  finishedAt: string;
  interrupted: boolean;
  /** How many trials the run was planned to have. */
  planned: number;
  results: readonly TrialResult[];
  /** As in `run.json`: what the groups are made from. */
  tasks?: RunRecord["tasks"];
  unreadable?: RunRecord["unreadable"];
}

/** Content of `summary.json` from the results of a run. */
export function summarize(input: SummaryInput): RunSummary {
  const { results } = input;
  const scored = keepScored(results);
  const tallies = tallyTasks(results);
  const attempts = results.reduce((most, { attempt }) => Math.max(most, attempt), 0);
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
    pass_rate: ratePasses(tallies),
    with_errors: countErrors(results),
    discarded_tries: countDiscarded(results),
    mean_reward: averageReward(scored),
    mean_reward_interval: intervalOfReward(scored),
    pass_at_k: averageOverTasks(tallies, attempts, passAtK),
    pass_hat_k: averageOverTasks(tallies, attempts, passHatK),
    flaky: tallies.filter(isFlaky).map((tally) => tally.task),
    usage: sumUsage(results.map((result) => result.usage)),
    per_trial: averageTrial(scored),
    per_pass: averagePass(scored),
    groups: summarizeGroups(results, input.tasks ?? []),
    tasks: [...groupByTask(results)].map(([task, trials]) => summarizeTask(task, trials)),
    ...(input.unreadable?.length ? { unreadable: input.unreadable.map(({ task }) => task) } : {}),
    ...listReliant(results),
  };
}

/** In the order of names: trials finish in any order. */
function listReliant(results: readonly TrialResult[]): Pick<RunSummary, "relies_on_processes"> {
  const trials = results.filter((result) => result.relies_on_processes).map(({ trial }) => trial);
  return trials.length > 0 ? { relies_on_processes: trials.sort() } : {};
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

function dropZeros(counts: Record<Outcome, number>): Partial<Record<Outcome, number>> {
  return Object.fromEntries(
    OUTCOMES.filter((outcome) => counts[outcome] > 0).map((outcome) => [outcome, counts[outcome]]),
  );
}

// A clock that is set back during the run must not give a negative time.
function countSeconds(from: string, to: string): number {
  return Math.max(0, Date.parse(to) - Date.parse(from)) / 1000;
}

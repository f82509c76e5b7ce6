import {
  FORMAT_VERSION,
  isScored,
  type Outcome,
  type PerPass,
  type PerTrial,
  type Rate,
  type RateOfK,
} from "../events/index.js";
import type { ScoredRun } from "./compare.js";
import { listMixtures } from "./mixture.js";
import { countOutcomes } from "./outcome.js";
import { averageOverTasks, passAtK, passHatK } from "./pass-at-k.js";
import { ratePasses } from "./rate.js";
import { averageReward } from "./reward.js";
import { listDigests } from "./rules.js";
import { averagePass, averageTrial } from "./spending.js";
import { isFlaky, keepScored, type Tally, tallyTasks } from "./tally.js";
import { sumUsage } from "./usage.js";

export interface SubmittedRun extends ScoredRun {
  /** ISO 8601. */
  submittedAt: string;
}

/** The score of one agent over all of its runs, so that none can be left out to look better. */
export interface AgentScore {
  agent: string;
  spec: string;
  models: string[];
  runs: string[];
  /** Of the first of its runs. */
  submitted_at: string;
  tasks: number;
  /** The fewest scored trials of any task. */
  attempts: number;
  pass_rate: Rate;
  mean_reward: number | null;
  /** For every k up to the number of attempts. */
  pass_at_k: RateOfK[];
  pass_hat_k: RateOfK[];
  flaky: number;
  per_trial: PerTrial;
  per_pass: PerPass;
  /** Outcomes that say nothing about the agent. */
  not_scored: Partial<Record<Outcome, number>>;
}

export interface LeaderboardEntry extends AgentScore {
  rank: number;
}

export interface Leaderboard {
  format_version: number;
  min_attempts: number;
  tasks: { task: string; task_digest: string }[];
  entries: LeaderboardEntry[];
  left_out: { agent: string; runs: string[]; reason: string }[];
  /** Why these runs should not be in one table; empty when they may. */
  mixed: string[];
}

/** Ranks agents by pass rate; what the intervals can't tell apart shares a rank. */
export function rankAgents(runs: readonly SubmittedRun[], minAttempts: number): Leaderboard {
  const scores = groupByAgent(runs).map(scoreAgent);
  const complete = scores.filter((score) => score.attempts >= minAttempts);
  const tasks = new Map(runs.flatMap(({ record }) => [...listDigests(record)]));
  return {
    format_version: FORMAT_VERSION,
    min_attempts: minAttempts,
    tasks: [...tasks]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([task, task_digest]) => ({ task, task_digest })),
    entries: assignRanks(complete),
    left_out: scores
      .filter((score) => score.attempts < minAttempts)
      .map(({ agent, runs: names, attempts }) => ({
        agent,
        runs: names,
        reason: `a task has only ${attempts} of ${minAttempts} scored trials required`,
      })),
    mixed: listMixtures(runs.map((run) => run.record)),
  };
}

/** Neighbours whose intervals overlap with the leader's share its rank, the earliest first. */
export function assignRanks(scores: readonly AgentScore[]): LeaderboardEntry[] {
  const rate = (score: AgentScore) => score.pass_rate.value ?? -1;
  const sorted = scores.toSorted((a, b) => rate(b) - rate(a) || earlier(a, b));
  const groups: AgentScore[][] = [];
  for (const score of sorted) {
    const leader = groups.at(-1)?.[0];
    if (leader && (score.pass_rate.high ?? 0) >= (leader.pass_rate.low ?? 0))
      groups.at(-1)?.push(score);
    else groups.push([score]);
  }
  let rank = 1;
  return groups.flatMap((group) => {
    const shared = rank;
    rank += group.length;
    return group.toSorted(earlier).map((score) => ({ rank: shared, ...score }));
  });
}

function earlier(a: AgentScore, b: AgentScore): number {
  return Date.parse(a.submitted_at) - Date.parse(b.submitted_at) || (a.agent < b.agent ? -1 : 1);
}

// The same program with a different model is a different agent.
function groupByAgent(runs: readonly SubmittedRun[]): SubmittedRun[][] {
  const groups = new Map<string, SubmittedRun[]>();
  for (const run of runs) {
    const { name, spec } = run.record.agent;
    const key = JSON.stringify([name, spec, listModels([run])]);
    groups.set(key, [...(groups.get(key) ?? []), run]);
  }
  return [...groups.values()];
}

function scoreAgent(runs: SubmittedRun[]): AgentScore {
  const results = runs.flatMap((run) => run.results);
  const scored = keepScored(results);
  const tallies = tallyPlanned(runs);
  const attempts = tallies.reduce((least, tally) => Math.min(least, tally.scored), Infinity);
  const outcomes = countOutcomes(results.map((result) => result.outcome));
  const [first] = runs as [SubmittedRun];
  return {
    agent: first.record.agent.name,
    spec: first.record.agent.spec,
    models: listModels(runs),
    runs: runs.map(({ record }) => record.run),
    submitted_at: runs.map((run) => run.submittedAt).sort()[0] as string,
    tasks: tallies.length,
    attempts,
    pass_rate: ratePasses(tallies),
    mean_reward: averageReward(scored),
    pass_at_k: averageOverTasks(tallies, attempts, passAtK),
    pass_hat_k: averageOverTasks(tallies, attempts, passHatK),
    flaky: tallies.filter(isFlaky).length,
    per_trial: averageTrial(scored),
    per_pass: averagePass(scored),
    not_scored: Object.fromEntries(
      Object.entries(outcomes).filter(([name, count]) => count > 0 && !isScored(name as Outcome)),
    ),
  };
}

/** A planned task without a result counts as one with no scored trial. */
function tallyPlanned(runs: readonly SubmittedRun[]): Tally[] {
  const tallies = new Map(
    tallyTasks(runs.flatMap((run) => run.results)).map((tally) => [tally.task, tally]),
  );
  const planned = new Set(runs.flatMap(({ record }) => [...listDigests(record).keys()]));
  return [...planned].map((task) => tallies.get(task) ?? { task, passed: 0, scored: 0 });
}

function listModels(runs: readonly ScoredRun[]): string[] {
  const usage = sumUsage(runs.flatMap((run) => run.results.map((result) => result.usage)));
  return usage?.models ?? [];
}

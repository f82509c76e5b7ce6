import { TermRunError } from "../errors.js";
import {
  FORMAT_VERSION,
  type PerPass,
  type PerTrial,
  type Rate,
  type RunRecord,
  type TrialResult,
} from "../events/index.js";
import { bootstrapMean, RESAMPLES, SEED } from "./bootstrap.js";
import {
  changeOf,
  isNewlyFlaky,
  isNoLongerFlaky,
  pairTasks,
  shareOf,
  type TaskPair,
} from "./pair.js";
import { ratePasses } from "./rate.js";
import { compareRules, listDigests, type RuleDifference } from "./rules.js";
import { signTest } from "./sign-test.js";
import { averagePass, averageTrial } from "./spending.js";
import { keepScored, tallyTasks } from "./tally.js";

export interface ScoredRun {
  record: RunRecord;
  results: readonly TrialResult[];
}

/** One of two runs, on the tasks that both have. */
export interface Side {
  run: string;
  agent: string;
  pass_rate: Rate;
  /** Every task counts the same, however many trials it has; the difference is computed from this. */
  task_mean: number;
  per_trial: PerTrial;
  per_pass: PerPass;
}

export interface Comparison {
  format_version: number;
  alpha: number;
  baseline: Side;
  candidate: Side;
  rules: RuleDifference[];
  tasks: {
    compared: number;
    /** Tasks with the same name but different files. */
    changed: string[];
    only_baseline: string[];
    only_candidate: string[];
    /** In both, but one of them has no scored trial. */
    unscored: string[];
  };
  difference: {
    value: number;
    low: number;
    high: number;
    level: number;
    method: "paired_bootstrap";
    resamples: number;
    seed: number;
  };
  sign_test: { won: number; lost: number; tied: number; p_value: number };
  verdict: "better" | "worse" | "no_difference";
  won: TaskPair[];
  lost: TaskPair[];
  newly_flaky: string[];
  no_longer_flaky: string[];
}

/** Two runs, paired by task, so that easy and hard tasks weigh the same on both sides. */
export function compareRuns(baseline: ScoredRun, candidate: ScoredRun, alpha: number): Comparison {
  const pairs = pairTasks(baseline.results, candidate.results);
  if (pairs.length === 0)
    throw new TermRunError("usage", "the runs have no scored task in common", {
      hint: "Runs are compared task by task: run both on the same tasks.",
    });
  const names = new Set(pairs.map((pair) => pair.task));
  const changes = pairs.map(changeOf);
  const level = 1 - alpha;
  const interval = bootstrapMean(changes, level);
  const value = average(changes);
  const won = pairs.filter((pair) => changeOf(pair) > 0);
  const lost = pairs.filter((pair) => changeOf(pair) < 0);
  const signs = { won: won.length, lost: lost.length };
  const p_value = signTest(signs.won, signs.lost);
  return {
    format_version: FORMAT_VERSION,
    alpha,
    baseline: describeSide(baseline, names, average(pairs.map((pair) => shareOf(pair.baseline)))),
    candidate: describeSide(
      candidate,
      names,
      average(pairs.map((pair) => shareOf(pair.candidate))),
    ),
    rules: compareRules(baseline.record, candidate.record),
    tasks: { compared: pairs.length, ...compareTasks(baseline, candidate, names) },
    difference: {
      value,
      ...interval,
      level,
      method: "paired_bootstrap",
      resamples: RESAMPLES,
      seed: SEED,
    },
    sign_test: { ...signs, tied: pairs.length - signs.won - signs.lost, p_value },
    verdict: p_value <= alpha ? judge(signs, interval) : "no_difference",
    won,
    lost,
    newly_flaky: pairs.filter(isNewlyFlaky).map((pair) => pair.task),
    no_longer_flaky: pairs.filter(isNoLongerFlaky).map((pair) => pair.task),
  };
}

// Both must agree: with few changes the bootstrap alone is overconfident.
function judge(
  { won, lost }: { won: number; lost: number },
  { low, high }: { low: number; high: number },
): Comparison["verdict"] {
  if (won > lost && low > 0) return "better";
  return lost > won && high < 0 ? "worse" : "no_difference";
}

function describeSide(run: ScoredRun, names: Set<string>, mean: number): Side {
  const results = run.results.filter((result) => names.has(result.task));
  const scored = keepScored(results);
  return {
    run: run.record.run,
    agent: run.record.agent.name,
    pass_rate: ratePasses(tallyTasks(results)),
    task_mean: mean,
    per_trial: averageTrial(scored),
    per_pass: averagePass(scored),
  };
}

/** How the tasks of two runs differ; `compared` are those with results on both sides. */
function compareTasks(
  baseline: ScoredRun,
  candidate: ScoredRun,
  compared: Set<string>,
): Omit<Comparison["tasks"], "compared"> {
  const before = listDigests(baseline.record);
  const after = listDigests(candidate.record);
  const common = [...before.keys()].filter((task) => after.has(task)).sort();
  return {
    changed: common.filter((task) => before.get(task) !== after.get(task)),
    only_baseline: [...before.keys()].filter((task) => !after.has(task)).sort(),
    only_candidate: [...after.keys()].filter((task) => !before.has(task)).sort(),
    unscored: common.filter((task) => !compared.has(task)),
  };
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

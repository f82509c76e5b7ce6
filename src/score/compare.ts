import { FORMAT_VERSION, type Interval } from "../events/index.js";
import { type Changed, splitChanged } from "./beyond-noise.js";
import { detectableDifference } from "./detectable.js";
import { correctForMany } from "./holm.js";
import {
  changeOf,
  changesOfReward,
  isNewlyFlaky,
  isNoLongerFlaky,
  pairTasks,
  shareOf,
  type TaskPair,
} from "./pair.js";
import { compareRules, type RuleDifference } from "./rules.js";
import { compareTasks, type ScoredRun, type TaskDifference } from "./scored-run.js";
import { describeSide, type Side } from "./side.js";
import { invertSigns, type SignFlip, testSigns } from "./sign-flip.js";

export interface Comparison extends Changed {
  format_version: number;
  alpha: number;
  baseline: ComparedSide;
  candidate: ComparedSide;
  rules: RuleDifference[];
  tasks: TaskDifference & { higher: number; lower: number; equal: number };
  difference: Difference;
  test: CorrectedTest;
  /** The smallest difference that would have been found with 80 % power; null if none would. */
  detectable: number | null;
  verdict: "better" | "worse" | "no_difference";
  newly_flaky: string[];
  no_longer_flaky: string[];
  /** The mean reward of the tasks; null if trials only passed or failed. */
  reward: { difference: Difference; test: CorrectedTest } | null;
}

/** Every task counts the same, however many trials it has; the difference is computed from this. */
export interface ComparedSide extends Side {
  task_mean: number;
}

/** Of the mean over tasks, with the values that the test would not reject. */
export interface Difference extends Interval {
  value: number;
  level: number;
}

/** `p_adjusted` takes into account how many runs are compared at once. */
interface CorrectedTest extends SignFlip {
  p_adjusted: number;
  comparisons: number;
}

/** Each run with the first, paired by task, so that easy and hard tasks weigh the same on both. */
export function compareRuns(
  baseline: ScoredRun,
  candidates: readonly ScoredRun[],
  alpha: number,
): Comparison[] {
  const measured = candidates.map((candidate) => {
    const pairs = pairTasks(baseline.results, candidate.results);
    const changes = pairs.map(changeOf);
    const rewards = changesOfReward(pairs, baseline.results, candidate.results);
    return {
      candidate,
      pairs,
      changes,
      rewards,
      pass: testSigns(changes),
      reward: testSigns(rewards),
    };
  });
  const pass = correctTests(measured.map((one) => one.pass));
  const reward = correctTests(measured.map((one) => one.reward));
  return measured.map(({ candidate, pairs, changes, rewards }, index) => {
    const test = pass[index] as CorrectedTest;
    const changed = splitChanged(pairs, alpha);
    const notable = [...changed.won, ...changed.lost];
    const difference = measureDifference(changes, test, alpha);
    const partial = rewards.some((value, task) => Math.abs(value - (changes[task] ?? 0)) > 1e-9);
    return {
      format_version: FORMAT_VERSION,
      alpha,
      ...describeSides(baseline, candidate, pairs),
      rules: compareRules(baseline.record, candidate.record),
      tasks: {
        ...compareTasks([baseline], candidate, new Set(pairs.map(({ task }) => task))),
        ...countChanges(changes),
      },
      difference,
      test,
      detectable: detectableDifference(changes, alpha),
      verdict: judge(difference.value, test, alpha),
      ...changed,
      newly_flaky: notable.filter(isNewlyFlaky).map(({ task }) => task),
      no_longer_flaky: notable.filter(isNoLongerFlaky).map(({ task }) => task),
      reward: partial
        ? {
            difference: measureDifference(rewards, reward[index] as CorrectedTest, alpha),
            test: reward[index] as CorrectedTest,
          }
        : null,
    };
  });
}

/** How many values are above 0, below it, and 0. */
export function countChanges(changes: readonly number[]) {
  const higher = changes.filter((change) => change > 0).length;
  const lower = changes.filter((change) => change < 0).length;
  return { higher, lower, equal: changes.length - higher - lower };
}

function correctTests(tests: readonly SignFlip[]): CorrectedTest[] {
  const adjusted = correctForMany(tests.map(({ p_value }) => p_value));
  return tests.map((test, index) => ({
    ...test,
    p_adjusted: adjusted[index] as number,
    comparisons: tests.length,
  }));
}

function judge(value: number, { p_adjusted }: CorrectedTest, alpha: number): Comparison["verdict"] {
  if (p_adjusted > alpha) return "no_difference";
  return value > 0 ? "better" : "worse";
}

/** The interval never contradicts the test: it has 0 in it exactly if the test doesn't reject 0. */
export function measureDifference(
  changes: readonly number[],
  test: SignFlip,
  alpha: number,
): Difference {
  const value = average(changes);
  const level = 1 - alpha;
  const { low, high } = invertSigns(changes, level);
  const interval = { low: Math.min(low, value), high: Math.max(high, value) };
  if (test.p_value > alpha)
    return { value, low: Math.min(0, interval.low), high: Math.max(0, interval.high), level };
  // Just beyond 0: the smoothed interval may reach a little further than the exact test.
  const edge = value / 1000;
  return value > 0
    ? { value, low: Math.max(edge, interval.low), high: interval.high, level }
    : { value, low: interval.low, high: Math.min(edge, interval.high), level };
}

function describeSides(baseline: ScoredRun, candidate: ScoredRun, pairs: readonly TaskPair[]) {
  const names = new Set(pairs.map(({ task }) => task));
  const side = (run: ScoredRun, pick: (pair: TaskPair) => TaskPair["baseline"]): ComparedSide => ({
    ...describeSide([run], names),
    task_mean: average(pairs.map((pair) => shareOf(pick(pair)))),
  });
  return {
    baseline: side(baseline, (pair) => pair.baseline),
    candidate: side(candidate, (pair) => pair.candidate),
  };
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

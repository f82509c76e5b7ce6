import { FORMAT_VERSION, type Interval, type Rate } from "../events/index.js";
import { type Changed, splitChanged } from "./beyond-noise.js";
import { countChanges } from "./compare.js";
import { detectableDrop } from "./detectable.js";
import { changeOf, isNewlyFlaky, pairTasks } from "./pair.js";
import { compareRules, type RuleDifference } from "./rules.js";
import { compareTasks, type ScoredRun, type TaskDifference } from "./scored-run.js";
import { describeSide, resultsOf, type Side } from "./side.js";
import { testForWorse } from "./stratified.js";

/** Whether a run is so much worse than its baseline, on the same tasks, that CI should fail. */
export interface Judgement extends Changed {
  format_version: number;
  alpha: number;
  /** Several runs may be the baseline together. */
  baseline: Side;
  candidate: Side;
  rules: RuleDifference[];
  tasks: TaskDifference & { higher: number; lower: number; equal: number };
  /** The mean of the tasks' changes, and how far it could be on exactly these tasks. */
  difference: { value: number } & Interval;
  test: { p_value: number; method: "within_task_permutation" };
  /** The smallest drop that would have been found with 80 % power; null if none would. */
  detectable: number | null;
  /** `significant`: worse, and not by chance; `drop`: a larger drop than is allowed. */
  verdict: "ok" | "significant" | "drop";
  newly_flaky: string[];
}

export function judgeAgainstBaseline(
  baselines: readonly ScoredRun[],
  candidate: ScoredRun,
  alpha: number,
  /** The largest allowed drop, whatever the statistics say; not checked if it is undefined. */
  maxDrop?: number,
): Judgement {
  const pairs = pairTasks(resultsOf(baselines), candidate.results);
  const names = new Set(pairs.map(({ task }) => task));
  const [before, after] = [describeSide(baselines, names), describeSide([candidate], names)];
  const changes = pairs.map(changeOf);
  const difference = measureChange(changes, before, after);
  const p_value = testForWorse(pairs);
  const changed = splitChanged(pairs, alpha);
  const notable = [...changed.won, ...changed.lost];
  // A drop of exactly the allowed size is allowed, despite rounding.
  const isDrop = maxDrop !== undefined && -difference.value > maxDrop + 1e-9;
  return {
    format_version: FORMAT_VERSION,
    alpha,
    baseline: before,
    candidate: after,
    rules: listRules(baselines, candidate),
    tasks: { ...compareTasks(baselines, candidate, names), ...countChanges(changes) },
    difference,
    test: { p_value, method: "within_task_permutation" },
    detectable: detectableDrop(pairs, alpha),
    verdict: p_value <= alpha ? "significant" : isDrop ? "drop" : "ok",
    ...changed,
    newly_flaky: notable.filter(isNewlyFlaky).map(({ task }) => task),
  };
}

/** The interval of a difference from those of its two sides (Newcombe's method). */
export function measureChange(
  changes: readonly number[],
  { pass_rate: before }: Pick<Side, "pass_rate">,
  { pass_rate: after }: Pick<Side, "pass_rate">,
): Judgement["difference"] {
  const value = changes.reduce((sum, change) => sum + change, 0) / changes.length;
  const gap = ({ value: rate, these_tasks }: Rate, end: "low" | "high") =>
    rate === null || !these_tasks ? 1 : these_tasks[end] - rate;
  const lower = Math.hypot(gap(after, "low"), gap(before, "high"));
  const upper = Math.hypot(gap(after, "high"), gap(before, "low"));
  return { value, low: Math.max(-1, value - lower), high: Math.min(1, value + upper) };
}

function listRules(baselines: readonly ScoredRun[], candidate: ScoredRun): RuleDifference[] {
  const all = baselines.flatMap(({ record }) => compareRules(record, candidate.record));
  return [...new Map(all.map((rule) => [JSON.stringify(rule), rule])).values()];
}

import {
  type Interval,
  isScored,
  OUTCOMES,
  type Outcome,
  type RateOfK,
  type RunSummary,
} from "../events/index.js";
import {
  formatCost,
  formatCount,
  formatDuration,
  formatInteger,
  formatNumber,
  formatPercent,
  formatShares,
  formatTries,
} from "./format.js";
import { hasPassed } from "./outcome.js";
import type { Palette } from "./palette.js";
import type { Progress } from "./progress.js";
import { cleanLine } from "./text.js";

const MAX_REASONS = 5;
const MAX_NAMES = 5;
/** With many attempts only these k are shown, and the last one. */
const SHOWN_K = [2, 3, 5, 10, 20, 50, 100];

/** The numbers of a run, each with its denominator, and where the results are. */
export function describeTotals(
  summary: RunSummary,
  progress: Progress,
  palette: Palette,
): string[] {
  const { trials } = summary;
  const lines = [
    palette.bold(describeRate(summary)),
    ...describeTheseTasks(summary),
    ...describeAttempts(summary),
  ];
  if (summary.mean_reward !== null) lines.push(describeReward(summary, summary.mean_reward));
  const failures = describeOutcomes(summary, (outcome) => !hasPassed(outcome) && isScored(outcome));
  if (failures) lines.push(`not passed: ${failures}`);
  if (summary.relies_on_processes)
    lines.push(palette.yellow(describeReliant(summary.relies_on_processes)));
  const apart = describeOutcomes(summary, (outcome) => !isScored(outcome));
  if (apart) lines.push(palette.yellow(`not scored: ${apart}`), ...describeReasons(progress));
  lines.push(...describeErrors(summary).map(palette.yellow));
  if (summary.unreadable) lines.push(palette.yellow(describeLeftOut(summary.unreadable)));
  if (summary.usage) lines.push(describeUsage(summary.usage));
  if (trials.scored > 1) lines.push(describeAverages(summary));
  lines.push(describeTrials(summary, palette));
  if (progress.out !== null) lines.push(`results in ${palette.cyan(cleanLine(progress.out))}`);
  return lines;
}

function describeRate({ pass_rate: { value, low, high, passed, of }, tasks }: RunSummary): string {
  if (value === null || low === null || high === null)
    return "pass rate unknown: no trial was scored";
  const share = `pass rate ${formatPercent(value)} % (${passed}/${of})`;
  const what = countTasks(tasks) === 1 ? "this task" : "tasks like these";
  return `${share}, 95 % interval ${formatShares(low, high)} for ${what}`;
}

// One attempt doesn't show how much the attempts at a task vary.
function describeTheseTasks({ pass_rate: { these_tasks, of }, tasks }: RunSummary): string[] {
  const scored = countTasks(tasks);
  if (!these_tasks || scored === 1 || of === scored) return [];
  const { low, high } = these_tasks;
  return [`for exactly these tasks ${formatShares(low, high)}`];
}

function countTasks(tasks: RunSummary["tasks"]): number {
  return tasks.filter(({ scored }) => scored > 0).length;
}

function describeReward({ mean_reward_interval, trials }: RunSummary, mean: number): string {
  const range = mean_reward_interval
    ? `, 95 % interval ${formatNumber(mean_reward_interval.low)}–${formatNumber(mean_reward_interval.high)}`
    : "";
  return `mean reward ${formatNumber(mean)}${range} (${countScored(trials.scored)})`;
}

/** What a reader who counts errors as failures wants to know. */
function describeErrors({ with_errors, discarded_tries }: RunSummary): string[] {
  const lines: string[] = [];
  if (discarded_tries > 0) lines.push(`discarded and run again: ${formatTries(discarded_tries)}`);
  if (with_errors)
    lines.push(
      `with errors as failures ${formatPercent(with_errors.value)} % (${with_errors.passed}/${with_errors.of})`,
    );
  return lines;
}

function describeAverages({ per_trial }: RunSummary): string {
  const { time_sec, time_interval, cost_usd, cost_interval } = per_trial;
  const amount = (value: number, interval: Interval | null, format: (value: number) => string) =>
    interval
      ? `${format(value)} (95 % interval ${format(interval.low)}–${format(interval.high)})`
      : format(value);
  const parts = [
    ...(time_sec === null ? [] : [amount(time_sec, time_interval, formatDuration)]),
    ...(cost_usd === null ? [] : [amount(cost_usd, cost_interval, formatCost)]),
  ];
  return `per trial: ${parts.join(", ")}`;
}

// With one attempt pass@1 and pass^1 are the pass rate, and nothing can be flaky.
function describeAttempts({ pass_at_k, pass_hat_k, flaky, tasks }: RunSummary): string[] {
  if (pass_at_k.length < 2) return [];
  const lines = [describeK("pass@", pass_at_k), describeK("pass^", pass_hat_k)];
  if (flaky.length > 0) {
    const share = `${formatInteger(flaky.length)} of ${formatCount(tasks.length, "task")}`;
    lines.push(`flaky: ${share} (${nameSome(flaky)})`);
  }
  return lines;
}

function describeReliant(trials: readonly string[]): string {
  const count = formatCount(trials.length, "trial");
  return `passed only with processes that the agent left running: ${count} (${nameSome(trials)})`;
}

function describeLeftOut(tasks: readonly string[]): string {
  return `left out as unreadable: ${formatCount(tasks.length, "task")} (${nameSome(tasks)})`;
}

function nameSome(tasks: readonly string[]): string {
  const names = tasks.slice(0, MAX_NAMES).map(cleanLine);
  return [...names, ...(tasks.length > MAX_NAMES ? ["…"] : [])].join(", ");
}

function describeK(name: string, rates: readonly RateOfK[]): string {
  return rates
    .filter(({ k }) => SHOWN_K.includes(k) || (k > 1 && k === rates.length))
    .map(({ k, value, low, high, tasks }) =>
      value === null || low === null || high === null
        ? `${name}${k} unknown (0 tasks)`
        : `${name}${k} ${formatPercent(value)} % (${formatShares(low, high)}, ${formatCount(tasks, "task")})`,
    )
    .join(", ");
}

function describeTrials(
  { trials, interrupted, duration_sec }: RunSummary,
  palette: Palette,
): string {
  const time = formatDuration(duration_sec);
  if (!interrupted && trials.finished >= trials.planned) {
    return `${formatCount(trials.finished, "trial")} in ${time}`;
  }
  const word = interrupted ? "interrupted" : "incomplete";
  return palette.yellow(
    `${word}: ${trials.finished} of ${formatCount(trials.planned, "trial")} in ${time}`,
  );
}

function countScored(scored: number): string {
  return `over ${formatCount(scored, "scored trial")}`;
}

function describeOutcomes(summary: RunSummary, pick: (outcome: Outcome) => boolean): string {
  return OUTCOMES.filter((outcome) => pick(outcome) && summary.outcomes[outcome] > 0)
    .map((outcome) => `${formatInteger(summary.outcomes[outcome])} ${outcome}`)
    .join(", ");
}

// The same cause often affects many trials: each is shown once, the most frequent first.
function describeReasons(progress: Progress): string[] {
  const counts = new Map<string, number>();
  for (const { outcome, error } of progress.results) {
    if (isScored(outcome) || !error) continue;
    const reason = `${outcome}: ${cleanLine(error.message)}`;
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const reasons = [...counts].sort((a, b) => b[1] - a[1]);
  const lines = reasons.slice(0, MAX_REASONS).map(([reason, count]) => `  ${count} × ${reason}`);
  if (reasons.length > MAX_REASONS) lines.push(`  … ${reasons.length - MAX_REASONS} more reasons`);
  return lines;
}

function describeUsage(usage: NonNullable<RunSummary["usage"]>): string {
  const parts = [
    `${formatInteger(usage.input_tokens)} in, ${formatInteger(usage.output_tokens)} out`,
  ];
  if (usage.cost_usd !== null) parts.push(`cost ${formatCost(usage.cost_usd)}`);
  if (usage.models.length > 0) parts.push(cleanLine(usage.models.join(", ")));
  return `tokens ${parts.join("; ")}`;
}

import {
  isScored,
  OUTCOMES,
  type Outcome,
  type Rate,
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
  const lines = [palette.bold(describeRate(summary.pass_rate)), ...describeAttempts(summary)];
  if (summary.mean_reward !== null) {
    lines.push(`mean reward ${formatNumber(summary.mean_reward)} (${countScored(trials.scored)})`);
  }
  const failures = describeOutcomes(summary, (outcome) => !hasPassed(outcome) && isScored(outcome));
  if (failures) lines.push(`not passed: ${failures}`);
  const apart = describeOutcomes(summary, (outcome) => !isScored(outcome));
  if (apart) lines.push(palette.yellow(`not scored: ${apart}`), ...describeReasons(progress));
  if (summary.unreadable) lines.push(palette.yellow(describeLeftOut(summary.unreadable)));
  if (summary.usage) lines.push(describeUsage(summary.usage));
  lines.push(describeTrials(summary, palette));
  if (progress.out !== null) lines.push(`results in ${palette.cyan(cleanLine(progress.out))}`);
  return lines;
}

function describeRate({ value, low, high, passed, of }: Rate): string {
  if (value === null || low === null || high === null)
    return "pass rate unknown: no trial was scored";
  const share = `pass rate ${formatPercent(value)} % (${passed}/${of})`;
  return `${share}, 95 % interval ${formatPercent(low)}–${formatPercent(high)} %`;
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
    .map(({ k, value, tasks }) =>
      value === null
        ? `${name}${k} unknown (0 tasks)`
        : `${name}${k} ${formatPercent(value)} % (${formatCount(tasks, "task")})`,
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

import type { Share } from "../events/index.js";
import type { ComparedSide, Comparison } from "../score/index.js";
import type { Column } from "./columns.js";
import { formatLevel, formatPoints, nameSides, signOf } from "./comparison-format.js";
import {
  formatCost,
  formatDuration,
  formatInteger,
  formatPercent,
  formatShares,
} from "./format.js";

const UNKNOWN = "–";

/** Two runs side by side. */
export function buildTable(comparison: Comparison): { columns: Column[]; rows: number } {
  const [before, after] = nameSides(comparison);
  const rows = [
    ...rateRows(comparison),
    ...amountRow(comparison, "time per trial", (side) => side.per_trial.time_sec, formatDuration),
    ...amountRow(comparison, "time per pass", (side) => side.per_pass.time_sec, formatDuration),
    ...amountRow(comparison, "cost per trial", (side) => side.per_trial.cost_usd, formatCost),
    ...amountRow(comparison, "cost per pass", (side) => side.per_pass.cost_usd, formatCost),
    ...amountRow(comparison, "tokens per trial", countTokens, formatInteger),
  ];
  const column = (head: string, index: number): Column => ({
    head,
    cells: rows.map((row) => row[index] ?? ""),
    align: index === 0 ? "left" : "right",
    ...(index === 0 ? {} : { ifNarrow: "shorten" }),
  });
  return {
    columns: ["", before, after, "difference"].map(column),
    rows: rows.length,
  };
}

function rateRows({ baseline, candidate, difference, tasks }: Comparison): string[][] {
  const share = ({ pass_rate: { value, passed, of } }: ComparedSide) =>
    value === null ? UNKNOWN : formatShare({ value, passed, of });
  const interval = ({ pass_rate: { low, high } }: ComparedSide) =>
    low === null || high === null ? UNKNOWN : formatShares(low, high);
  const change = formatPoints(difference.value);
  const range = `${formatPoints(difference.low).replace(" points", "")} to ${formatPoints(difference.high)}`;
  const level = formatLevel(difference.level);
  // With equally many trials for every task the two means are the same.
  const plain = [baseline, candidate].every(
    (side) => Math.abs((side.pass_rate.value ?? 0) - side.task_mean) < 1e-9,
  );
  const mean = (side: ComparedSide) => `${formatPercent(side.task_mean)} %`;
  return [
    ["pass rate", share(baseline), share(candidate), plain ? change : ""],
    ...(plain ? [] : [["mean of tasks", mean(baseline), mean(candidate), change]]),
    level === "95"
      ? ["95 % interval", interval(baseline), interval(candidate), range]
      : [`95 %; difference ${level} %`, interval(baseline), interval(candidate), range],
    ...notScoredRows(baseline, candidate),
    ["tasks", ...Array<string>(2).fill(formatInteger(tasks.compared)), ""],
  ];
}

/** What the rates above leave out. */
function notScoredRows(baseline: ComparedSide, candidate: ComparedSide): string[][] {
  const sides = [baseline, candidate];
  const counts = sides.map(({ not_scored }) =>
    Object.values(not_scored).reduce((sum, count) => sum + count, 0),
  );
  const tries = sides.map(({ discarded_tries }) => discarded_tries);
  const errors = sides.map(({ with_errors, pass_rate }) =>
    formatShare(with_errors ?? { ...pass_rate, value: pass_rate.value ?? 0 }),
  );
  return [
    ...(sides.some(({ with_errors }) => with_errors)
      ? [["errors as failures", ...errors, ""]]
      : []),
    ...(counts.some((count) => count > 0)
      ? [["not scored", ...counts.map(formatInteger), ""]]
      : []),
    ...(tries.some((count) => count > 0)
      ? [["discarded tries", ...tries.map(formatInteger), ""]]
      : []),
  ];
}

function formatShare({ value, passed, of }: Share): string {
  return `${formatPercent(value)} % (${passed}/${of})`;
}

function amountRow(
  { baseline, candidate }: Comparison,
  name: string,
  pick: (side: ComparedSide) => number | null,
  format: (value: number) => string,
): string[][] {
  const [before, after] = [pick(baseline), pick(candidate)];
  if (before === null && after === null) return [];
  const show = (value: number | null) => (value === null ? UNKNOWN : format(value));
  return [[name, show(before), show(after), describeChange(before, after, format)]];
}

function describeChange(
  before: number | null,
  after: number | null,
  format: (value: number) => string,
): string {
  if (before === null || after === null) return UNKNOWN;
  // Without floating-point noise, which would make 0.1 long.
  const change = Number((after - before).toPrecision(12));
  const amount = `${signOf(change, change === 0)}${format(Math.abs(change))}`;
  if (before === 0) return amount;
  const percent = ((Math.abs(change) / before) * 100).toFixed(0);
  return `${amount} (${signOf(change, percent === "0")}${percent} %)`;
}

function countTokens({ per_trial: { input_tokens, output_tokens } }: ComparedSide): number | null {
  return input_tokens === null || output_tokens === null ? null : input_tokens + output_tokens;
}

import type { Share } from "../events/index.js";
import type { ComparedSide, Comparison, TaskPair } from "../score/index.js";
import type { Column } from "./columns.js";
import { drawColumns } from "./draw.js";
import {
  formatCost,
  formatCount,
  formatDuration,
  formatInteger,
  formatNumber,
  formatPercent,
  formatShares,
} from "./format.js";
import { markdownTable } from "./markdown-table.js";
import { escapeMarkdown } from "./markup.js";
import type { Palette } from "./palette.js";
import { cleanLine } from "./text.js";

const MAX_NAMES = 10;
const UNKNOWN = "–";

/** Two runs side by side, and the conclusion in one sentence. */
export function describeComparison(
  comparison: Comparison,
  columns: number,
  palette: Palette,
): string[] {
  const table = buildTable(comparison);
  const paint = { better: palette.green, worse: palette.red, no_difference: palette.yellow };
  return [
    ...drawColumns(table.columns, table.rows, columns, palette),
    "",
    palette.bold(paint[comparison.verdict](describeVerdict(comparison))),
    describeDetectable(comparison.detectable, "difference"),
    ...describeReward(comparison),
    ...describeTasks(comparison),
    ...describeDoubts(comparison).map(palette.yellow),
  ];
}

export function writeComparisonMarkdown(comparison: Comparison): string[] {
  const table = buildTable(comparison);
  const details = [
    describeDetectable(comparison.detectable, "difference"),
    ...describeReward(comparison),
    ...describeTasks(comparison),
    ...describeDoubts(comparison),
  ];
  return [
    `**${escapeMarkdown(describeVerdict(comparison))}**`,
    "",
    ...markdownTable(table.columns, table.rows),
    "",
    ...details.map((line) => `- ${escapeMarkdown(line)}`),
  ];
}

/** The conclusion: what difference the two runs show, or that they show none. */
export function describeVerdict(comparison: Comparison): string {
  const { verdict, test, difference } = comparison;
  const [before, after] = nameSides(comparison);
  const p =
    test.comparisons > 1
      ? `p = ${formatP(test.p_adjusted)} (corrected for ${test.comparisons} comparisons)`
      : `p = ${formatP(test.p_value)}`;
  const evidence = `${formatPoints(difference.value)}, ${p}; ${countTasks(comparison.tasks)}`;
  return verdict === "no_difference"
    ? `no difference you can trust: ${evidence}`
    : `${after} is ${verdict} than ${before}: ${evidence}`;
}

/** `3 tasks lower, 1 higher, 36 the same`. */
export function countTasks({ higher, lower, equal }: Comparison["tasks"]): string {
  return `${formatCount(lower, "task")} lower, ${higher} higher, ${equal} the same`;
}

/** What could have been found at all: without it, "no difference" says little. */
export function describeDetectable(detectable: number | null, what: string): string {
  return detectable === null
    ? `so few tasks and attempts can't show any ${what} with 80 % power`
    : `the smallest ${what} found with 80 % power: about ${formatPoints(detectable).replace("+", "")}`;
}

/** `+2.5 points`. */
export function formatPoints(share: number): string {
  const points = (Math.abs(share) * 100).toFixed(1);
  return `${signOf(share, points === "0.0")}${points} points`;
}

/** Partial rewards may show a difference that passes and failures don't. */
function describeReward({ reward, alpha }: Comparison): string[] {
  if (!reward) return [];
  const { difference, test } = reward;
  const sign = (value: number) => `${signOf(value, value === 0)}${formatNumber(Math.abs(value))}`;
  const range = `${sign(difference.low)} to ${sign(difference.high)}`;
  const trust = test.p_adjusted <= alpha ? "" : ", no difference you can trust";
  return [
    `mean reward: ${sign(difference.value)} (${range}), p = ${formatP(test.p_adjusted)}${trust}`,
  ];
}

/** Never "0", which no p-value is. */
export function formatP(value: number): string {
  if (value < 0.0001) return "< 0.0001";
  return String(Number(value.toPrecision(2)));
}

function signOf(value: number, isZero: boolean): string {
  if (isZero) return "±";
  return value < 0 ? "−" : "+";
}

/** The agents' names if they differ, else the runs' names. */
function nameSides({ baseline, candidate }: Comparison): [string, string] {
  if (baseline.agent !== candidate.agent)
    return [cleanLine(baseline.agent), cleanLine(candidate.agent)];
  if (baseline.run !== candidate.run) return [cleanLine(baseline.run), cleanLine(candidate.run)];
  return ["the first run", "the second run"];
}

function buildTable(comparison: Comparison): { columns: Column[]; rows: number } {
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

/** Only tasks that changed by more than noise are named. */
export function describeTasks({
  lost,
  won,
  within_noise,
  newly_flaky,
  no_longer_flaky = [],
}: Pick<Comparison, "lost" | "won" | "within_noise" | "newly_flaky"> &
  Partial<Pick<Comparison, "no_longer_flaky">>): string[] {
  const change = ({ task, baseline, candidate }: TaskPair) =>
    `${task} (${baseline.passed}/${baseline.scored} → ${candidate.passed}/${candidate.scored})`;
  return [
    ...listNames("lost", lost.map(change)),
    ...listNames("won", won.map(change)),
    ...listNames("newly flaky", newly_flaky),
    ...listNames("no longer flaky", no_longer_flaky),
    ...(within_noise.length > 0
      ? [`changed no more than noise: ${formatCount(within_noise.length, "task")}`]
      : []),
  ];
}

/** What the reader should know before trusting the numbers. */
export function describeDoubts({ rules, tasks }: Pick<Comparison, "rules" | "tasks">): string[] {
  const rule = rules.map(({ name, values }) => `${name} ${values[0]} → ${values[1]}`);
  return [
    ...listNames("not made under the same rules", rule),
    ...listNames("the files of these tasks differ", tasks.changed),
    ...listNames("left out, only in the first", tasks.only_baseline),
    ...listNames("left out, only in the second", tasks.only_candidate),
    ...listNames("left out, not scored in both", tasks.unscored),
  ];
}

function listNames(title: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const shown = names.slice(0, MAX_NAMES).map(cleanLine).join(", ");
  const rest = names.length > MAX_NAMES ? `, … ${names.length - MAX_NAMES} more` : "";
  return [`${title}: ${shown}${rest}`];
}

function formatLevel(level: number): string {
  return String(Number((level * 100).toFixed(2)));
}

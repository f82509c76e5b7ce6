import type { Comparison, Side, TaskPair } from "../score/index.js";
import type { Column } from "./columns.js";
import { drawColumns } from "./draw.js";
import { formatCost, formatCount, formatDuration, formatInteger, formatPercent } from "./format.js";
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
    ...describeTasks(comparison),
    ...describeDoubts(comparison).map(palette.yellow),
  ];
}

export function writeComparisonMarkdown(comparison: Comparison): string[] {
  const table = buildTable(comparison);
  const details = [...describeTasks(comparison), ...describeDoubts(comparison)];
  return [
    `**${escapeMarkdown(describeVerdict(comparison))}**`,
    "",
    ...markdownTable(table.columns, table.rows),
    ...(details.length > 0 ? ["", ...details.map((line) => `- ${escapeMarkdown(line)}`)] : []),
  ];
}

/** The conclusion: what difference the two runs show, or that they show none. */
export function describeVerdict(comparison: Comparison): string {
  const { verdict, sign_test, difference } = comparison;
  const [before, after] = nameSides(comparison);
  const counts = `${formatCount(sign_test.lost, "task")} lost, ${sign_test.won} won, ${sign_test.tied} the same`;
  const evidence = `${counts}; ${formatPoints(difference.value)}, sign test p = ${formatP(sign_test.p_value)}`;
  return verdict === "no_difference"
    ? `no difference you can trust: ${evidence}`
    : `${after} is ${verdict} than ${before}: ${evidence}`;
}

/** `+2.5 points`. */
export function formatPoints(share: number): string {
  const points = (Math.abs(share) * 100).toFixed(1);
  return `${signOf(share, points === "0.0")}${points} points`;
}

/** Never "0", which no p-value is. */
function formatP(value: number): string {
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
  const share = ({ pass_rate: { value, passed, of } }: Side) =>
    value === null ? UNKNOWN : `${formatPercent(value)} % (${passed}/${of})`;
  const interval = ({ pass_rate: { low, high } }: Side) =>
    low === null || high === null ? UNKNOWN : `${formatPercent(low)}–${formatPercent(high)} %`;
  const change = formatPoints(difference.value);
  const range = `${formatPoints(difference.low).replace(" points", "")} to ${formatPoints(difference.high)}`;
  const level = formatLevel(difference.level);
  // With equally many trials for every task the two means are the same.
  const plain = [baseline, candidate].every(
    (side) => Math.abs((side.pass_rate.value ?? 0) - side.task_mean) < 1e-9,
  );
  const mean = (side: Side) => `${formatPercent(side.task_mean)} %`;
  return [
    ["pass rate", share(baseline), share(candidate), plain ? change : ""],
    ...(plain ? [] : [["mean of tasks", mean(baseline), mean(candidate), change]]),
    level === "95"
      ? ["95 % interval", interval(baseline), interval(candidate), range]
      : [`95 %; difference ${level} %`, interval(baseline), interval(candidate), range],
    ["tasks", ...Array<string>(2).fill(formatInteger(tasks.compared)), ""],
  ];
}

function amountRow(
  { baseline, candidate }: Comparison,
  name: string,
  pick: (side: Side) => number | null,
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

function countTokens({ per_trial: { input_tokens, output_tokens } }: Side): number | null {
  return input_tokens === null || output_tokens === null ? null : input_tokens + output_tokens;
}

function describeTasks({ lost, won, newly_flaky, no_longer_flaky }: Comparison): string[] {
  const change = ({ task, baseline, candidate }: TaskPair) =>
    `${task} (${baseline.passed}/${baseline.scored} → ${candidate.passed}/${candidate.scored})`;
  return [
    ...listNames("lost", lost.map(change)),
    ...listNames("won", won.map(change)),
    ...listNames("newly flaky", newly_flaky),
    ...listNames("no longer flaky", no_longer_flaky),
  ];
}

/** What the reader should know before trusting the numbers. */
function describeDoubts({ rules, tasks }: Comparison): string[] {
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

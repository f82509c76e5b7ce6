import type { Comparison, TaskPair } from "../score/index.js";
import { formatP, formatPoints, nameSides, signOf } from "./comparison-format.js";
import { buildTable } from "./comparison-table.js";
import { drawColumns } from "./draw.js";
import { formatCount, formatNumber } from "./format.js";
import { markdownTable } from "./markdown-table.js";
import { escapeMarkdown } from "./markup.js";
import type { Palette } from "./palette.js";
import { cleanLine } from "./text.js";

const MAX_NAMES = 10;

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
      ? `${formatP(test.p_adjusted)} (corrected for ${test.comparisons} comparisons)`
      : `${formatP(test.p_value)}`;
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

/** Partial rewards may show a difference that passes and failures don't. */
function describeReward({ reward, alpha }: Comparison): string[] {
  if (!reward) return [];
  const { difference, test } = reward;
  const sign = (value: number) => `${signOf(value, value === 0)}${formatNumber(Math.abs(value))}`;
  const range = `${sign(difference.low)} to ${sign(difference.high)}`;
  const trust = test.p_adjusted <= alpha ? "" : ", no difference you can trust";
  return [`mean reward: ${sign(difference.value)} (${range}), ${formatP(test.p_adjusted)}${trust}`];
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

import { isScored, OUTCOMES, type TaskSummary, type TrialResult } from "../events/index.js";
import { sumUsage } from "../score/index.js";
import { formatCost, formatDuration, formatNumber } from "./format.js";
import type { Palette } from "./palette.js";
import { cleanLine } from "./text.js";

export interface Column {
  head: string;
  cells: string[];
  align: "left" | "right";
  /** Colours a cell once its width is final. */
  paint?: (text: string, row: number) => string;
  /** What happens on a narrow screen: it is left out (the lowest number first), or shortened. */
  ifNarrow?: number | "shorten";
}

const UNKNOWN = "–";

/** A cell in each column for each task. Steps and time are of scored trials, the cost is of all. */
export function buildColumns(
  tasks: readonly TaskSummary[],
  results: readonly TrialResult[],
  palette: Palette,
): Column[] {
  const trials = tasks.map((task) => results.filter((result) => result.task === task.task));
  const scored = trials.map((list) => list.filter((result) => isScored(result.outcome)));
  const costs = trials.map((list) => sumUsage(list.map(({ usage }) => usage))?.cost_usd ?? null);
  const average = scored.some((list) => list.length > 1) ? "avg " : "";
  const names = tasks.map((task) => cleanLine(task.task));
  const shares = tasks.map((task) => `${task.passed}/${task.scored}`);
  const rewards = tasks.map((task) => task.mean_reward);
  const steps = scored.map((list) => averageOf(list.map((result) => result.steps)));
  const times = scored.map((list) => averageOf(list.map(({ durations }) => durations.total_sec)));
  const paint = (text: string, row: number) => choosePaint(tasks[row], palette)(text);

  const columns: Column[] = [
    { head: "task", cells: names, align: "left", ifNarrow: "shorten" },
    { head: "passed", cells: shares, align: "right", paint },
    numberColumn("reward", rewards, formatNumber, 2),
    {
      head: "outcomes",
      cells: tasks.map(describeOutcomes),
      align: "left",
      paint,
      ifNarrow: "shorten",
    },
    numberColumn(`${average}steps`, steps, formatTenths, 1),
    numberColumn(`${average}time`, times, formatDuration, 3),
  ];
  if (costs.some((cost) => cost !== null)) columns.push(numberColumn("cost", costs, formatCost, 4));
  return columns;
}

function numberColumn(
  head: string,
  values: (number | null)[],
  format: (value: number) => string,
  ifNarrow: number,
): Column {
  const cells = values.map((value) => (value === null ? UNKNOWN : format(value)));
  return { head, cells, align: "right", ifNarrow };
}

function averageOf(values: number[]): number | null {
  if (values.length === 0) return null;
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function formatTenths(value: number): string {
  return String(Number(value.toFixed(1)));
}

// With one trial the outcome alone is enough.
function describeOutcomes(task: TaskSummary): string {
  const counts = OUTCOMES.map((outcome) => [outcome, task.outcomes[outcome] ?? 0] as const);
  const present = counts.filter(([, count]) => count > 0);
  if (present.length === 1 && present[0]?.[1] === 1) return present[0][0];
  return present.map(([outcome, count]) => `${count} ${outcome}`).join(", ");
}

function choosePaint(task: TaskSummary | undefined, palette: Palette): (text: string) => string {
  if (!task || task.scored === 0) return palette.dim;
  if (task.passed === task.scored) return palette.green;
  return task.passed === 0 ? palette.red : palette.yellow;
}

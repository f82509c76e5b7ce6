import type { Assumptions, Found, Planned } from "../score/index.js";
import type { Column } from "./columns.js";
import { drawColumns } from "./draw.js";
import { formatInteger, formatPercent } from "./format.js";
import type { Palette } from "./palette.js";

export interface PlanReport {
  detect: number;
  given: Assumptions;
  /** Where rate and noise come from. */
  source: { rate: string; noise: string };
  needed: Planned[];
  /** For the number of tasks that was given. */
  found: Found[];
  /** For the plot: attempts by attempts, tasks by tasks. */
  curve: Found[];
}

const UNKNOWN = "–";
const PLOT_ROWS = 8;
const PLOT_COLUMNS = 60;

/** How many tasks and attempts a change needs, as a table and a plot. */
export function describePlan(report: PlanReport, columns: number, palette: Palette): string[] {
  const { detect, given, source, needed, found, curve } = report;
  return [
    palette.bold(
      `To find a change of ${formatChange(detect)} with ${formatShort(given.power)} power (alpha ${given.alpha}):`,
    ),
    "",
    ...drawColumns(neededColumns(needed), needed.length, columns, palette),
    "",
    ...(found.length > 0
      ? [
          palette.bold(
            `The smallest change found with ${formatInteger(found[0]?.tasks ?? 0)} tasks:`,
          ),
          "",
          ...drawColumns(foundColumns(found), found.length, columns, palette),
          "",
        ]
      : []),
    "The smallest drop that --baseline finds, in points; the digits are attempts:",
    "",
    ...drawPlot(curve, detect),
    "",
    `pass rate ${formatPercent(given.rate)} % (${source.rate})`,
    `noise between attempts at a task: ${formatShort(given.noise)} of the variance (${source.noise})`,
    "--baseline: the same agent again on the same tasks; compare: two agents, on tasks like these",
  ];
}

function neededColumns(needed: readonly Planned[]): Column[] {
  const trials = (attempts: number, tasks: number | null) =>
    tasks === null ? null : tasks * attempts;
  return [
    column("attempts", needed, ({ attempts }) => attempts),
    column("tasks, --baseline", needed, ({ baseline }) => baseline),
    column("trials", needed, ({ attempts, baseline }) => trials(attempts, baseline)),
    column("tasks, compare", needed, ({ compare }) => compare),
    column("trials", needed, ({ attempts, compare }) => trials(attempts, compare)),
  ];
}

function foundColumns(found: readonly Found[]): Column[] {
  const change = (value: number | null) => (value === null ? UNKNOWN : formatChange(value));
  return [
    column("attempts", found, ({ attempts }) => attempts),
    { ...column("--baseline", found, () => 0), cells: found.map((one) => change(one.baseline)) },
    { ...column("compare", found, () => 0), cells: found.map((one) => change(one.compare)) },
  ];
}

function column<T>(head: string, rows: readonly T[], pick: (row: T) => number | null): Column {
  const cells = rows.map((row) => {
    const value = pick(row);
    return value === null ? UNKNOWN : formatInteger(value);
  });
  return { head, cells, align: "right" };
}

/** Tasks to the right, points upwards; the dotted line is the change asked for. */
function drawPlot(curve: readonly Found[], detect: number): string[] {
  const tasks = [...new Set(curve.map((one) => one.tasks))];
  const most = tasks.at(-1) ?? 1;
  // Beyond four times what is asked for, the exact size doesn't matter.
  const top = Math.min(1, detect * 4);
  const rowOf = (change: number) => Math.round((1 - change / top) * PLOT_ROWS);
  const grid = Array.from({ length: PLOT_ROWS + 1 }, (_, row) =>
    new Array<string>(PLOT_COLUMNS + 1).fill(row === rowOf(detect) ? "·" : " "),
  );
  for (const { tasks: count, attempts, baseline } of curve) {
    if (baseline === null || baseline > top) continue;
    const line = grid[rowOf(baseline)];
    const at = Math.round((count / most) * PLOT_COLUMNS);
    if (line) line[at] = String(attempts % 10);
  }
  const label = (row: number) => ((1 - row / PLOT_ROWS) * top * 100).toFixed(1).padStart(6);
  const scale = `0${formatInteger(most / 2).padStart(PLOT_COLUMNS / 2)}`;
  return [
    ...grid.map((line, row) =>
      `${row % 2 === 0 ? label(row) : " ".repeat(6)} │${line.join("")}`.trimEnd(),
    ),
    `${" ".repeat(7)}└${"─".repeat(PLOT_COLUMNS + 1)}`,
    `${" ".repeat(8)}${scale}${formatInteger(most).padStart(PLOT_COLUMNS / 2)} tasks`,
  ];
}

function formatChange(share: number): string {
  return `${formatPercent(share)} points`;
}

function formatShort(share: number): string {
  return `${Number((share * 100).toFixed(1))} %`;
}

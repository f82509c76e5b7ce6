import Table from "cli-table3";
import type { TaskSummary, TrialResult } from "../events/types.js";
import { buildColumns } from "./columns.js";
import { fitColumns, GAP } from "./fit.js";
import { formatCount, formatInteger } from "./format.js";
import type { Palette } from "./palette.js";

const MAX_ROWS = 40;
const ALL_PASSED = 3;

/** A row for each task; of many tasks, those that did not pass come first. */
export function describeTasks(
  tasks: readonly TaskSummary[],
  results: readonly TrialResult[],
  columns: number,
  palette: Palette,
): string[] {
  if (tasks.length === 0) return [];
  if (tasks.length <= MAX_ROWS) return drawTasks(tasks, results, columns, palette);
  const ranked = [...tasks].sort((a, b) => rankTask(a) - rankTask(b));
  return [
    ...drawTasks(ranked.slice(0, MAX_ROWS), results, columns, palette),
    palette.dim(describeRest(ranked.slice(MAX_ROWS))),
  ];
}

function describeRest(tasks: readonly TaskSummary[]): string {
  const passed = tasks.filter((task) => rankTask(task) === ALL_PASSED).length;
  const share = passed === tasks.length ? "all" : `${formatInteger(passed)} of them`;
  return `… ${formatCount(tasks.length, "more task")}, ${share} passed`;
}

// Stable sorting by this keeps the names in order within a rank.
function rankTask(task: TaskSummary): number {
  if (task.passed < task.scored) return 0;
  if (task.outcomes.infra_error) return 1;
  return task.outcomes.cancelled || task.outcomes.skipped ? 2 : ALL_PASSED;
}

function drawTasks(
  tasks: readonly TaskSummary[],
  results: readonly TrialResult[],
  columns: number,
  palette: Palette,
): string[] {
  const fitting = fitColumns(buildColumns(tasks, results, palette), columns);
  const table = new Table({
    head: fitting.map((column) => palette.bold(column.head)),
    colAligns: fitting.map((column) => column.align),
    style: { head: [], border: [], compact: true, "padding-left": 0, "padding-right": 0 },
    chars: BORDERS,
  });
  for (const row of tasks.keys()) {
    table.push(
      fitting.map(({ cells, paint }) => paint?.(cells[row] ?? "", row) ?? cells[row] ?? ""),
    );
  }
  return table
    .toString()
    .split("\n")
    .map((line) => line.trimEnd());
}

// One rule under the head; between columns only space, to leave the width to the text.
const BORDERS = {
  top: "",
  "top-left": "",
  "top-mid": "",
  "top-right": "",
  bottom: "",
  "bottom-left": "",
  "bottom-mid": "",
  "bottom-right": "",
  left: "",
  "left-mid": "",
  right: "",
  "right-mid": "",
  mid: "─",
  "mid-mid": "─".repeat(GAP),
  middle: " ".repeat(GAP),
};

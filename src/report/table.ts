import type { TaskSummary, TrialResult } from "../events/index.js";
import { buildColumns } from "./columns.js";
import { drawColumns } from "./draw.js";
import { formatCount, formatInteger } from "./format.js";
import { countTone } from "./outcome.js";
import type { Palette } from "./palette.js";

const MAX_ROWS = 40;
const ALL_PASSED = 3;

/** A row for each task; with many tasks, those that did not pass come first. */
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
  if (countTone(task.outcomes, "broken") > 0) return 1;
  return countTone(task.outcomes, "none") > 0 ? 2 : ALL_PASSED;
}

function drawTasks(
  tasks: readonly TaskSummary[],
  results: readonly TrialResult[],
  columns: number,
  palette: Palette,
): string[] {
  return drawColumns(buildColumns(tasks, results, palette), tasks.length, columns, palette);
}

import type { RunSummary } from "../events/index.js";
import type { Palette } from "./palette.js";
import type { Progress } from "./progress.js";
import { describeTasks } from "./table.js";
import { describeTotals } from "./totals.js";

/** What is left on the screen after a run: a row for each task, then the totals. */
export function describeEnd(
  summary: RunSummary,
  progress: Progress,
  columns: number,
  palette: Palette,
): string[] {
  const table = describeTasks(summary.tasks, progress.results, columns, palette);
  return [
    "",
    ...table,
    ...(table.length > 0 ? [""] : []),
    ...describeTotals(summary, progress, palette),
  ];
}

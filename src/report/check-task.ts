import {
  type CheckProgress,
  type CheckReport,
  POINTS,
  type Point,
  type PointStatus,
  type TaskReport,
} from "../check-task/index.js";
import type { Column } from "./columns.js";
import { drawColumns } from "./draw.js";
import { formatCount, formatDuration } from "./format.js";
import type { Palette } from "./palette.js";
import { cleanLine } from "./text.js";
import { cutToWidth, measureWidth } from "./width.js";
import { wrapText } from "./wrap.js";

const LABEL_WIDTH = 5;
const MARKS: Record<PointStatus, string> = {
  passed: "✓",
  warning: "!",
  failed: "✗",
  infra_error: "?",
  not_run: "-",
};

/** A table of tasks and points; below it what was wrong, why it matters and what to do. */
export function describeTaskCheck(
  report: CheckReport,
  columns: number,
  palette: Palette,
): string[] {
  const { tasks } = report;
  return [
    ...drawColumns(buildColumns(tasks, palette), tasks.length, columns, palette),
    "",
    ...tasks.flatMap((task) => describeProblems(task, columns, palette)),
    ...describeSkipped(tasks, columns, palette),
    describeTotals(report, palette),
  ];
}

/** One line of the screen: how far the check is, and what is running. */
export function describeCheckProgress(
  { done, of, now }: CheckProgress,
  columns: number,
  palette: Palette,
): string {
  const start = `${done}/${of} trials`;
  const rest = cutToWidth(cleanLine(now.join(", ")), columns - measureWidth(start) - 3);
  return `${start}  ${palette.dim(rest)}`;
}

function buildColumns(tasks: readonly TaskReport[], palette: Palette): Column[] {
  const names = tasks.map(({ task }) => cleanLine(task));
  const points = POINTS.map(({ id, title }): Column => {
    const statuses = tasks.map((task) => task.points.find((point) => point.id === id)?.status);
    return {
      head: title,
      cells: statuses.map((status) => MARKS[status ?? "not_run"]),
      align: "left",
      paint: (text, row) => paint(statuses[row] ?? "not_run", text, palette),
    };
  });
  return [{ head: "task", cells: names, align: "left", ifNarrow: "shorten" }, ...points];
}

function describeProblems(task: TaskReport, columns: number, palette: Palette): string[] {
  const wrong = task.points.filter(({ reason }) => reason !== null);
  const lines = wrong.flatMap((point) =>
    describePoint(cleanLine(task.task), point, columns, palette),
  );
  return lines.length > 0 ? [...lines, ""] : [];
}

/** Grouped by reason, because many tasks often share one. */
function describeSkipped(
  tasks: readonly TaskReport[],
  columns: number,
  palette: Palette,
): string[] {
  const reasons = new Map<string, string[]>();
  for (const { task, skipped } of tasks)
    if (skipped !== null) reasons.set(skipped, [...(reasons.get(skipped) ?? []), cleanLine(task)]);
  const lines = [...reasons].flatMap(([reason, names]) => [
    `- skipped: ${cleanLine(reason)}`,
    ...wrapText(names.join(", "), columns - 4).map((line) => `    ${line}`),
  ]);
  return lines.length > 0 ? [...lines.map(palette.dim), ""] : [];
}

function describePoint(task: string, point: Point, columns: number, palette: Palette): string[] {
  const { status, title, seen, reason, fix } = point;
  const details = { seen, why: reason ?? "", fix: fix ?? "" };
  return [
    paint(status, `${MARKS[status]} ${task}: ${title}`, palette),
    ...Object.entries(details).flatMap(([label, text]) =>
      text
        .split("\n")
        .flatMap((line) => wrapText(cleanLine(line), columns - LABEL_WIDTH - 4))
        .map(
          (line, row) => `    ${palette.dim((row === 0 ? label : "").padEnd(LABEL_WIDTH))}${line}`,
        ),
    ),
  ];
}

function paint(status: PointStatus, text: string, palette: Palette): string {
  if (status === "passed") return palette.green(text);
  if (status === "warning") return palette.yellow(text);
  return status === "not_run" ? palette.dim(text) : palette.red(text);
}

function describeTotals({ totals, sandbox, duration_sec }: CheckReport, palette: Palette): string {
  const { passed, failed, unreadable, infra_error, skipped, warnings } = totals;
  const bad = { failed, unreadable, "with infrastructure errors": infra_error };
  const parts = [
    palette.green(`${passed} passed`),
    ...Object.entries(bad).flatMap(([word, count]) =>
      count > 0 ? [palette.red(`${count} ${word}`)] : [],
    ),
    ...(skipped > 0 ? [palette.dim(`${skipped} skipped`)] : []),
    ...(warnings > 0 ? [palette.yellow(formatCount(warnings, "warning"))] : []),
  ];
  return `${parts.join(", ")} in ${sandbox}, ${formatDuration(duration_sec)}`;
}

import type { CheckReport, Point, PointStatus } from "../check-agent/index.js";
import { formatCount, formatDuration } from "./format.js";
import type { Palette } from "./palette.js";
import { cleanLine } from "./text.js";
import { cutToWidth, measureWidth, padToWidth } from "./width.js";
import { wrapText } from "./wrap.js";

const LABEL_WIDTH = 5;

/** A line for each point; a failure or warning says what was seen, why it matters and what to do. */
export function describeCheck(report: CheckReport, columns: number, palette: Palette): string[] {
  const { points } = report;
  const width = Math.max(...points.map(({ title }) => measureWidth(title)));
  const hints = new Set(points.flatMap((point) => (point.status === "not_seen" ? point.fix : [])));
  return [
    ...points.flatMap((point) => describePoint(point, width, columns, palette)),
    "",
    ...[...hints].map((hint) => palette.dim(`not seen? ${hint}`)),
    describeTotals(report, palette),
  ];
}

function describePoint(
  point: Point,
  titleWidth: number,
  columns: number,
  palette: Palette,
): string[] {
  const seen = cleanLine(point.seen);
  const mark = paint(point.status, MARKS[point.status], palette);
  if (point.status === "passed" || point.status === "not_seen") {
    const width = columns - titleWidth - 4;
    return [
      `${mark} ${padToWidth(point.title, titleWidth)}  ${palette.dim(cutToWidth(seen, width))}`,
    ];
  }
  const details = { seen, why: point.reason ?? "", fix: point.fix ?? "" };
  return [
    `${mark} ${paint(point.status, point.title, palette)}`,
    ...Object.entries(details).flatMap(([label, text]) =>
      wrapText(text, columns - LABEL_WIDTH - 4).map((line, row) => {
        const start = row === 0 ? label : "";
        return `    ${palette.dim(start.padEnd(LABEL_WIDTH))}${line}`;
      }),
    ),
  ];
}

const MARKS: Record<PointStatus, string> = {
  passed: "✓",
  warning: "!",
  failed: "✗",
  not_seen: "-",
};

function paint(status: PointStatus, text: string, palette: Palette): string {
  if (status === "passed") return palette.green(text);
  if (status === "warning") return palette.yellow(text);
  return status === "failed" ? palette.red(text) : palette.dim(text);
}

function describeTotals({ totals, duration_sec }: CheckReport, palette: Palette): string {
  const parts = [
    palette.green(`${totals.passed} passed`),
    ...(totals.failed > 0 ? [palette.red(`${totals.failed} failed`)] : []),
    ...(totals.warning > 0 ? [palette.yellow(formatCount(totals.warning, "warning"))] : []),
    ...(totals.not_seen > 0 ? [palette.dim(`${totals.not_seen} not seen`)] : []),
  ];
  return `${parts.join(", ")} in ${formatDuration(duration_sec)}`;
}

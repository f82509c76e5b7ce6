import { drawBar, type Frame } from "./bar.js";
import { formatSeconds } from "./format.js";
import type { ImageBuild, Progress, RunningTrial } from "./progress.js";
import { cleanLine } from "./text.js";
import { cutToWidth, measureWidth, padToWidth } from "./width.js";

const NARROW = 80;
/** The blank line above, the bar, the line of the cursor, and one to spare. */
const OTHER_ROWS = 4;

/** The part of the screen that changes: what is running, then the bar. */
export function drawRegion(progress: Progress, frame: Frame): string[] {
  const maxRows = Math.max(1, frame.rows - OTHER_ROWS);
  const total = progress.builds.size + progress.running.size;
  const hidden = total > maxRows ? total - maxRows + 1 : 0;
  const lines = drawRows(progress, frame).slice(0, total - hidden);
  if (hidden > 0) lines.push(cutToWidth(`  … ${hidden} more running`, frame.columns - 1));
  return ["", ...lines, drawBar(progress, frame)];
}

function drawRows(progress: Progress, frame: Frame): string[] {
  const times = [...progress.running.values()].map(({ since }) => formatSince(since, frame).length);
  const layout = { name: chooseNameWidth(progress, frame), time: Math.max(3, ...times) };
  return [
    ...[...progress.builds].map(([name, build]) => drawBuild(name, build, frame)),
    ...[...progress.running].map(([name, trial]) => drawTrial(name, trial, layout, frame)),
  ];
}

// As wide as the longest name of the run, so that columns don't move, but most is for the command.
function chooseNameWidth(progress: Progress, { columns }: Frame): number {
  return Math.min(
    Math.max(8, progress.nameWidth),
    Math.floor(columns / (isNarrow(columns) ? 4 : 3)),
  );
}

function isNarrow(columns: number): boolean {
  return columns < NARROW;
}

function drawTrial(
  name: string,
  trial: RunningTrial,
  layout: { name: number; time: number },
  frame: Frame,
): string {
  const parts = [
    padToWidth(cutToWidth(cleanLine(name), layout.name), layout.name),
    formatStep(trial.step, frame.columns),
    trial.state.padEnd("verifying".length),
    formatSince(trial.since, frame).padStart(layout.time),
  ];
  return joinRow(
    `  ${parts.join("  ")}`,
    trial.command === null ? "" : `$ ${trial.command}`,
    frame,
  );
}

function drawBuild(name: string, build: ImageBuild, frame: Frame): string {
  const label = cutToWidth(cleanLine(name), Math.floor(frame.columns / 3));
  const start = `  image ${label}  ${formatSince(build.since, frame)}`;
  return joinRow(start, build.tail.at(-1) ?? "", frame);
}

/** Exactly one row of the screen: the last column stays free, or terminals may wrap. */
function joinRow(start: string, rest: string, { columns, palette }: Frame): string {
  const width = columns - 1 - measureWidth(start) - 2;
  if (rest === "" || width < 4) return cutToWidth(start, columns - 1);
  return `${start}  ${palette.dim(cutToWidth(rest, width))}`;
}

function formatStep(step: number, columns: number): string {
  const [text, width] = isNarrow(columns) ? [`#${step}`, 3] : [`step ${step}`, 7];
  return (step === 0 ? "" : text).padEnd(width);
}

function formatSince(since: number, { now }: Frame): string {
  return formatSeconds((now - since) / 1000);
}

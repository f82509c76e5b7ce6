import { formatSeconds } from "./format.js";
import type { Palette } from "./palette.js";
import type { Progress } from "./progress.js";
import { cutToWidth } from "./width.js";

/** What a frame depends on besides the progress. */
export interface Frame {
  columns: number;
  rows: number;
  now: number;
  palette: Palette;
}

/** `████░░░░  3/10  2 passed  1 failed  0 other  1m 05s` */
export function drawBar(progress: Progress, frame: Frame): string {
  const { palette } = frame;
  const { passed, failed, other } = progress.counts;
  const finished = progress.results.length;
  const total = Math.max(progress.planned, finished);
  const parts = [
    `${finished}/${total}`,
    `${passed} passed`,
    `${failed} failed`,
    `${other} other`,
    formatSeconds((frame.now - (progress.startedAt ?? frame.now)) / 1000),
  ];
  const text = parts.join("  ");
  const width = Math.min(40, frame.columns - 1 - text.length - 4);
  if (width < 4) return cutToWidth(`  ${text}`, frame.columns - 1);
  const [good, bad, rest] = divideBar([passed, failed, other], total, width);
  const empty = width - good - bad - rest;
  return [
    `  ${palette.green("█".repeat(good))}${palette.red("█".repeat(bad))}`,
    `${palette.yellow("█".repeat(rest))}${palette.dim("░".repeat(empty))}  ${text}`,
  ].join("");
}

// Rounds the running sum, so that the segments never add up to more than the bar.
function divideBar(
  counts: [number, number, number],
  total: number,
  width: number,
): [number, number, number] {
  const ends = [counts[0], counts[0] + counts[1], counts[0] + counts[1] + counts[2]].map((sum) =>
    total === 0 ? 0 : Math.floor((sum / total) * width),
  ) as [number, number, number];
  return [ends[0], ends[1] - ends[0], ends[2] - ends[1]];
}

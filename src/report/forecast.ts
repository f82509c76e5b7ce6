import type { Forecast, TaskForecast } from "../runner/index.js";
import type { Column } from "./columns.js";
import { drawColumns } from "./draw.js";
import { formatCount } from "./format.js";
import type { Palette } from "./palette.js";
import { cleanLine } from "./text.js";
import { wrapText } from "./wrap.js";

type Row = Pick<TaskForecast, "task" | "attempts"> & { plan: "run" | "skipped" | "unreadable" };

/** Drawing more takes long, and nobody reads them; --json has all. */
const MAX_ROWS = 1000;
const REASONS = {
  task: "skipped",
  sandbox: "skipped by the sandbox",
  agent: "skipped by the agent",
};

/** A table of tasks; below it what would be skipped, left out or warned about, and why. */
export function describeForecast(forecast: Forecast, columns: number, palette: Palette): string[] {
  const { tasks, unreadable } = forecast;
  const all: Row[] = [
    ...unreadable.map(({ task }): Row => ({ task, attempts: [], plan: "unreadable" })),
    ...tasks.map(({ task, attempts, skipped }): Row => {
      return { task, attempts, plan: skipped ? "skipped" : "run" };
    }),
  ];
  const rows = all.slice(0, MAX_ROWS);
  const notes = [
    ...describeSkipped(tasks, columns).map(palette.dim),
    ...unreadable.map(({ task, problem }) =>
      palette.red(`? ${cleanLine(task)} can't be read: ${cleanLine(problem)}`),
    ),
    ...[
      ...forecast.warnings,
      ...tasks.flatMap(({ task, warnings }) => warnings.map((text) => `${task}: ${text}`)),
    ].map((text) => `${palette.yellow("! warning")}  ${cleanLine(text)}`),
  ];
  return [
    ...drawColumns(buildColumns(rows, palette), rows.length, columns, palette),
    ...(rows.length < all.length
      ? [palette.dim(`… ${formatCount(all.length - rows.length, "more task")}; --json lists all`)]
      : []),
    "",
    ...(notes.length > 0 ? [...notes, ""] : []),
    describeTotals(forecast),
  ];
}

function buildColumns(rows: readonly Row[], palette: Palette): Column[] {
  const paints = { run: palette.green, skipped: palette.dim, unreadable: palette.red };
  return [
    {
      head: "task",
      cells: rows.map(({ task }) => cleanLine(task)),
      align: "left",
      ifNarrow: "shorten",
    },
    { head: "attempts", cells: rows.map(({ attempts }) => listRanges(attempts)), align: "left" },
    {
      head: "plan",
      cells: rows.map(({ plan }) => plan),
      align: "left",
      paint: (text, row) => paints[rows[row]?.plan ?? "run"](text),
    },
  ];
}

/** `1–3, 5` */
function listRanges(numbers: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([from, to]) => (from === to ? from : `${from}–${to}`)).join(", ") || "–";
}

/** Grouped by reason, because many tasks often share one. */
function describeSkipped(tasks: readonly TaskForecast[], columns: number): string[] {
  const reasons = new Map<string, string[]>();
  for (const { task, skipped } of tasks) {
    if (!skipped) continue;
    const reason = `- ${REASONS[skipped.by]}: ${cleanLine(skipped.reason)}`;
    reasons.set(reason, [...(reasons.get(reason) ?? []), cleanLine(task)]);
  }
  return [...reasons].flatMap(([reason, names]) => [
    reason,
    ...wrapText(names.join(", "), columns - 4).map((line) => `    ${line}`),
  ]);
}

function describeTotals({ tasks, unreadable, agent, sandbox }: Forecast): string {
  const count = (wanted: TaskForecast[]) =>
    wanted.reduce((sum, { attempts }) => sum + attempts.length, 0);
  const skipped = count(tasks.filter((task) => task.skipped));
  const parts = [
    `${formatCount(count(tasks) - skipped, "trial")} would run`,
    ...(skipped > 0 ? [`${skipped} would be skipped`] : []),
    ...(unreadable.length > 0 ? [`${formatCount(unreadable.length, "task")} can't be read`] : []),
  ];
  const place = sandbox === null ? "" : ` in ${sandbox}`;
  return `${parts.join(", ")}: agent ${cleanLine(agent)}${place}; nothing was run (--dry-run)`;
}

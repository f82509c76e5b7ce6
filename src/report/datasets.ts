import type { DatasetFacts, TaskFacts } from "../task/index.js";
import type { Column } from "./columns.js";
import { drawColumns } from "./draw.js";
import { formatCount, formatInteger } from "./format.js";
import type { Palette } from "./palette.js";
import { cleanLine } from "./text.js";
import { wrapText } from "./wrap.js";

const UNKNOWN = "–";
const COMMIT = /^([0-9a-f]{10})[0-9a-f]{30}$/;

/** For each registry a table of names; tasks and description are those of the last version. */
export function describeDatasets(
  datasets: readonly DatasetFacts[],
  columns: number,
  palette: Palette,
): string[] {
  if (datasets.length === 0) return ["the registry lists no datasets"];
  return [...groupBy(datasets, ({ registry }) => registry)].flatMap(([registry, own], place) => {
    const names = [...groupBy(own, ({ name }) => name).values()];
    return [
      ...(place > 0 ? [""] : []),
      palette.dim(cleanLine(registry)),
      ...drawColumns(buildColumns(names), names.length, columns, palette),
    ];
  });
}

function buildColumns(names: readonly DatasetFacts[][]): Column[] {
  const last = names.map((versions) => versions.at(-1));
  return [
    { head: "name", cells: last.map((one) => cleanLine(one?.name ?? "")), align: "left" },
    {
      head: "versions",
      cells: names.map((versions) => cleanLine(versions.map(({ version }) => version).join(", "))),
      align: "left",
      ifNarrow: "shorten",
    },
    { head: "tasks", cells: last.map((one) => formatTasks(one?.tasks ?? null)), align: "right" },
    {
      head: "description",
      cells: last.map((one) => cleanLine(one?.description ?? "")),
      align: "left",
      ifNarrow: "shorten",
    },
  ];
}

/** What a registry says about a dataset, then a row for each task. */
export function describeDataset(
  dataset: DatasetFacts,
  tasks: readonly TaskFacts[],
  columns: number,
  palette: Palette,
): string[] {
  const { name, version, description, registry, metrics } = dataset;
  const count = dataset.tasks === null ? "all in a folder" : formatCount(dataset.tasks, "task");
  return [
    `${palette.bold(cleanLine(`${name}@${version}`))}  ${count}`,
    ...(description ? wrapText(cleanLine(description), columns) : []),
    palette.dim(`registry: ${cleanLine(registry)}`),
    ...(metrics.length > 0 ? [palette.dim(`metrics: ${cleanLine(metrics.join(", "))}`)] : []),
    "",
    ...drawColumns(buildTaskColumns(tasks), tasks.length, columns, palette),
  ];
}

function buildTaskColumns(tasks: readonly TaskFacts[]): Column[] {
  const column = (head: string, cell: (task: TaskFacts) => string | null): Column => ({
    head,
    cells: tasks.map((task) => cleanLine(cell(task) ?? UNKNOWN)),
    align: "left",
    ifNarrow: "shorten",
  });
  return [
    column("task", ({ task }) => task),
    column("path", ({ path }) => path),
    column("repository", ({ git_url }) => git_url),
    column("commit", ({ git_ref }) => git_ref?.replace(COMMIT, "$1") ?? null),
  ];
}

/** A dataset of a run. */
export function nameDataset({ name, version }: { name: string; version: string | null }): string {
  return version === null ? name : `${name}@${version}`;
}

function formatTasks(count: number | null): string {
  return count === null ? UNKNOWN : formatInteger(count);
}

function groupBy<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
}

import { statSync } from "node:fs";
import { basename, dirname, extname, resolve } from "node:path";
import { TermRunError } from "../errors.js";
import type { Candidate, Unreadable } from "./candidate.js";
import { listDataset } from "./dataset.js";
import { expandGlob, isGlob } from "./glob.js";
import type { Dataset } from "./registry/dataset.js";
import { describeMetrics } from "./registry/metrics.js";
import { type Base, readDatasetFile } from "./registry/open.js";
import { formatReference, parseReference, type Reference } from "./registry/reference.js";
import type { Sources } from "./sources.js";
import { unreadable } from "./text.js";
import { findTaskFolders } from "./walk.js";

/** A dataset that tasks are of, and where it is listed. */
export interface DatasetName {
  name: string;
  version: string | null;
  registry: string;
}

/** What a path leads to. */
export interface Listing {
  listed: Candidate[];
  /** What a dataset lists wrongly. */
  unreadable: Unreadable[];
  datasets: DatasetName[];
  warnings: string[];
}

const TASK_FILES = ["task.toml", "task.yaml"];

/** The tasks for one path: a folder or file, a glob, a dataset file, or the name of a dataset. */
export async function listTasks(given: string, sources: Sources): Promise<Listing> {
  const path = resolve(given);
  const info = statSync(path, { throwIfNoEntry: false });
  if (!info) return isGlob(given) ? listGlob(given) : listNamed(given, sources);
  const isTaskFile = TASK_FILES.includes(basename(path));
  const isList = !isTaskFile && [".toml", ".json"].includes(extname(path));
  if (isList && !info.isDirectory()) return listFile(path, sources);
  const start = isTaskFile ? dirname(path) : path;
  const found = info.isDirectory() || isTaskFile ? findTaskFolders(start) : [];
  if (found.length === 0)
    throw new TermRunError("usage", `no task found in ${path}`, {
      hint: "A task is a folder with a task.toml and an instruction.md, or with a task.yaml.",
    });
  return folders(found);
}

function listGlob(glob: string): Listing {
  const found = expandGlob(glob).flatMap((dir) => findTaskFolders(dir));
  if (found.length > 0) return folders(found);
  throw new TermRunError("usage", `no task matches ${glob}`, {
    hint: "Quote the pattern, so that the shell doesn't expand it.",
  });
}

function folders(dirs: string[]): Listing {
  const listed = dirs.map((dir): Candidate => {
    const problem = (text: string) => unreadable(`${dir} ${text}`);
    return { name: null, place: { dir }, digest: null, dataset: null, problem };
  });
  return { listed, unreadable: [], datasets: [], warnings: [] };
}

/** All datasets of a file, taken as one. */
async function listFile(file: string, sources: Sources): Promise<Listing> {
  const { base, datasets } = readDatasetFile(file);
  if (datasets.every(({ entries }) => entries.length === 0))
    throw unreadable(`${file}: no tasks are listed`);
  const found = [];
  for (const dataset of datasets) found.push(await list(dataset, base, file, sources));
  return {
    listed: found.flatMap(({ listed }) => listed),
    unreadable: found.flatMap((one) => one.unreadable),
    datasets: found.flatMap((one) => one.datasets),
    warnings: found.flatMap(({ warnings }) => warnings),
  };
}

async function listNamed(given: string, sources: Sources): Promise<Listing> {
  const reference = parseReference(given);
  if (!reference?.version)
    throw new TermRunError("usage", `no such file or folder: ${resolve(given)}`, {
      hint: "Give a task folder, a folder of tasks, a glob, a dataset file, or NAME@VERSION of a dataset.",
    });
  return listReference(reference, sources);
}

/** The tasks of a dataset that a registry has. */
export async function listReference(reference: Reference, sources: Sources): Promise<Listing> {
  const { dataset, registry } = await sources.registries.find(reference);
  return list(dataset, registry.base, registry.name, sources);
}

async function list(
  dataset: Dataset,
  base: Base,
  registry: string,
  { fetcher }: Sources,
): Promise<Listing> {
  const { name, version, metrics } = dataset;
  const label = name === null ? null : formatReference({ name, version } satisfies Reference);
  const { listed, unreadable } = await listDataset(dataset, { base, label, fetcher });
  return {
    listed,
    unreadable,
    datasets: name === null ? [] : [{ name, version, registry }],
    warnings: describeMetrics(label ?? registry, metrics),
  };
}

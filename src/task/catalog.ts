import { sep } from "node:path";
import { messageOf, TermRunError } from "../errors.js";
import type { Task } from "../interfaces/index.js";
import type { Unreadable } from "./candidate.js";
import { listReference } from "./list.js";
import { readCandidates } from "./read-candidates.js";
import type { Entry } from "./registry/entry.js";
import { parseReference, type Reference } from "./registry/reference.js";
import type { RegisteredDataset } from "./registry/registries.js";
import { type FetchOptions, withSources } from "./sources.js";

/** A dataset of a registry, as people and programs are shown it. */
export interface DatasetFacts {
  name: string;
  version: string;
  description: string | null;
  registry: string;
  metrics: string[];
  /** How many tasks it lists; null: as many as the folder has, which isn't fetched yet. */
  tasks: number | null;
}

/** One of its tasks, or the folder where they are. */
export interface TaskFacts {
  task: string | null;
  path: string | null;
  git_url: string | null;
  /** A commit id, or what names one. */
  git_ref: string | null;
  digest: string | null;
}

/** All datasets of the registries. */
export async function listDatasets(
  options: FetchOptions,
): Promise<{ datasets: DatasetFacts[]; warnings: string[] }> {
  return withSources(options, async ({ registries }, warnings) => {
    return { datasets: (await registries.list()).map(factsOf), warnings };
  });
}

/** One of them, with its tasks; without a version in its name, the one that the registry prefers. */
export async function showDataset(
  text: string,
  options: FetchOptions,
): Promise<{ dataset: DatasetFacts; tasks: TaskFacts[]; warnings: string[] }> {
  const reference = readReference(text);
  return withSources(options, async ({ registries }, warnings) => {
    const found = await registries.find(reference);
    const base = found.registry.base.git;
    const tasks: TaskFacts[] = [];
    for (const read of found.dataset.entries) {
      try {
        tasks.push(taskFactsOf(read(), base));
      } catch (error) {
        warnings.push(messageOf(error));
      }
    }
    return { dataset: factsOf(found), tasks, warnings };
  });
}

/** Fetches the tasks of one into the cache and reads them. */
export async function fetchDataset(
  text: string,
  options: FetchOptions,
): Promise<{ folders: string[]; unreadable: Unreadable[]; warnings: string[] }> {
  const reference = readReference(text);
  return withSources(options, async (sources, warnings) => {
    const { listed, unreadable } = await listReference(reference, sources);
    const found = await readCandidates(listed, sources.fetcher);
    return {
      folders: findFolders(found.tasks),
      unreadable: [...unreadable, ...found.unreadable],
      warnings,
    };
  });
}

function readReference(text: string): Reference {
  const reference = parseReference(text);
  if (reference) return reference;
  throw new TermRunError("usage", `${text} is not the name of a dataset`, {
    hint: "Write NAME or NAME@VERSION; term-run dataset list shows what there is.",
  });
}

/** The folder around the tasks of each checkout, or the only task there. */
function findFolders(tasks: readonly Task[]): string[] {
  const folders = new Map<string, string>();
  for (const { dir, origin } of tasks) {
    const key = origin?.git ? `${origin.git.url} ${origin.git.id}` : "";
    folders.set(key, commonFolder(folders.get(key) ?? dir, dir));
  }
  return [...folders.values()];
}

function commonFolder(one: string, other: string): string {
  const parts = one.split(sep);
  const others = other.split(sep);
  const end = parts.findIndex((part, place) => part !== others[place]);
  return end === -1 ? one : parts.slice(0, end).join(sep) || sep;
}

function factsOf({ registry, dataset }: RegisteredDataset): DatasetFacts {
  const { name, version, description, metrics, count } = dataset;
  return { name, version, description, registry: registry.name, metrics, tasks: count };
}

function taskFactsOf(entry: Entry, base: Entry["git"]): TaskFacts {
  const git = entry.git ?? base;
  return {
    task: entry.name,
    path: entry.path,
    git_url: git?.url ?? null,
    git_ref: git?.ref ?? null,
    digest: entry.digest && `sha256:${entry.digest.hex}`,
  };
}

import { messageOf, TermRunError } from "../errors.js";
import type { Task } from "../interfaces/index.js";
import { type Candidate, keyOf, nameOf, type Unreadable } from "./candidate.js";
import { checkDigest } from "./dataset.js";
import { fetchFolders } from "./fetch-folders.js";
import type { FetchReport } from "./fetch-report.js";
import { GitFetcher } from "./git/fetcher.js";
import { type DatasetName, type Listing, listTasks, type Sources } from "./list.js";
import { filterByName, type NameGlobs, selectByName } from "./names.js";
import { readTask } from "./read.js";
import { DEFAULT_REGISTRIES } from "./registry/defaults.js";
import { Registries } from "./registry/registries.js";

export interface FetchOptions {
  /** Where datasets are looked up; the public registries by default. */
  registries?: readonly string[] | undefined;
  /** What fetching does; its warnings are in the result. */
  onProgress?: FetchReport["progress"] | undefined;
}

export interface FindOptions extends FetchOptions, NameGlobs {
  /** Leaves out tasks that can't be read, and tells which. */
  skipUnreadable?: boolean | undefined;
}

export interface FoundTasks {
  /** By name. */
  tasks: Task[];
  /** What was left out with `skipUnreadable`. */
  unreadable: Unreadable[];
  /** The datasets that tasks are of. */
  datasets: DatasetName[];
  /** About datasets, and how they were fetched. */
  warnings: string[];
}

/**
 * Reads every task at or below these paths, which may be globs, dataset files or names of datasets.
 * Those that can't be read are reported together.
 */
export async function findTasks(paths: string[], options: FindOptions = {}): Promise<FoundTasks> {
  return withSources(options, async (sources, warnings) => {
    const { listing, broken } = await listAll(paths, sources);
    const chosen = selectByName(withoutRepeats(listing.listed), options, nameOf);
    const { tasks, unreadable } = await readCandidates(chosen, sources.fetcher);
    const wrong = filterByName(listing.unreadable, options, ({ task }) => task);
    const left = [...wrong, ...unreadable];
    const problems = [
      ...broken,
      ...(options.skipUnreadable ? [] : left.map(({ problem }) => problem)),
      ...findDuplicates(tasks),
    ];
    if (problems.length > 0) throw describeUnreadable(problems);
    return {
      tasks,
      unreadable: left,
      datasets: listing.datasets,
      warnings: [...listing.warnings, ...warnings],
    };
  });
}

/** Opens what datasets are read with, and closes it; collects warnings about fetching. */
export async function withSources<T>(
  { registries = DEFAULT_REGISTRIES, onProgress = () => {} }: FetchOptions,
  work: (sources: Sources, warnings: string[]) => Promise<T>,
): Promise<T> {
  const warnings: string[] = [];
  const report = { progress: onProgress, warning: (text: string) => warnings.push(text) };
  const fetcher = new GitFetcher(report);
  try {
    return await work(
      { fetcher, registries: new Registries(registries, fetcher, report) },
      warnings,
    );
  } finally {
    fetcher.close();
  }
}

/** What all paths lead to, and the problems of those that are broken dataset files. */
async function listAll(
  paths: string[],
  sources: Sources,
): Promise<{ listing: Listing; broken: string[] }> {
  const listing: Listing = { listed: [], unreadable: [], datasets: [], warnings: [] };
  const broken: string[] = [];
  for (const path of paths) {
    try {
      const found = await listTasks(path, sources);
      listing.listed.push(...found.listed);
      listing.unreadable.push(...found.unreadable);
      listing.datasets.push(...found.datasets);
      listing.warnings.push(...found.warnings);
    } catch (error) {
      if ((error as TermRunError).code !== "task_unreadable") throw error;
      broken.push(messageOf(error));
    }
  }
  return { listing, broken };
}

/** The mention that says most about a folder counts: one with a digest. */
function withoutRepeats(candidates: readonly Candidate[]): Candidate[] {
  const found = new Map<string, Candidate>();
  for (const candidate of candidates)
    if (!found.get(keyOf(candidate))?.digest) found.set(keyOf(candidate), candidate);
  return [...found.values()];
}

/** Fetches and reads tasks; those that can't be read don't stop the others. */
export async function readCandidates(
  candidates: readonly Candidate[],
  fetcher: GitFetcher,
): Promise<{ tasks: Task[]; unreadable: Unreadable[] }> {
  const folderOf = await fetchFolders(candidates, fetcher);
  const tasks: Task[] = [];
  const unreadable: Unreadable[] = [];
  for (const candidate of candidates) {
    let dir: string | null = null;
    try {
      dir = folderOf(candidate);
      const task = await readTask(dir);
      checkDigest(task, candidate.digest);
      tasks.push(withOrigin(task, candidate));
    } catch (error) {
      unreadable.push({ task: nameOf(candidate), dir, problem: messageOf(error) });
    }
  }
  return { tasks: tasks.sort((a, b) => (a.name < b.name ? -1 : 1)), unreadable };
}

function withOrigin(task: Task, { dataset, digest, place }: Candidate): Task {
  const git = "dir" in place ? null : { ...place.commit, path: place.path };
  if (dataset !== null || git !== null)
    task.origin = { dataset, digest: digest && `sha256:${digest.hex}`, git };
  return task;
}

function findDuplicates(tasks: Task[]): string[] {
  const seen = new Map<string, Task>();
  const problems: string[] = [];
  for (const task of tasks) {
    const other = seen.get(task.name);
    if (other) problems.push(`two tasks are named ${task.name}: ${other.dir} and ${task.dir}`);
    seen.set(task.name, task);
  }
  return problems;
}

/** One error for all of them. */
export function describeUnreadable(problems: string[]): TermRunError {
  const count = problems.length === 1 ? "a task" : `${problems.length} tasks`;
  return new TermRunError("task_unreadable", `${count} can't be read:\n  ${problems.join("\n  ")}`);
}

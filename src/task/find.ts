import { messageOf, TermRunError } from "../errors.js";
import type { Task } from "../interfaces/index.js";
import { type Candidate, keyOf, nameOf, type Unreadable } from "./candidate.js";
import { type DatasetName, type Listing, listTasks } from "./list.js";
import { filterByName, type NameGlobs, selectByName } from "./names.js";
import { readCandidates } from "./read-candidates.js";
import { type FetchOptions, type Sources, withSources } from "./sources.js";

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

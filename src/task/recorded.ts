import type { Task, TaskOrigin } from "../interfaces/index.js";
import type { Candidate, Unreadable } from "./candidate.js";
import { readCandidates } from "./read-candidates.js";
import { type FetchOptions, withSources } from "./sources.js";
import { unreadable } from "./text.js";

/** Where a run's record says that a task is. */
export interface RecordedTask {
  name: string;
  dir: string;
  origin: TaskOrigin | null;
}

/** Reads the tasks of a run again; those of repositories are fetched if they aren't in the cache. */
export async function readRecordedTasks(
  recorded: readonly RecordedTask[],
  options: FetchOptions,
): Promise<{ tasks: Task[]; unreadable: Unreadable[] }> {
  return withSources(options, ({ fetcher }) => readCandidates(recorded.map(toCandidate), fetcher));
}

function toCandidate({ name, dir, origin }: RecordedTask): Candidate {
  const git = origin?.git;
  return {
    name,
    place: git ? { commit: { url: git.url, id: git.id }, path: git.path } : { dir },
    digest: null,
    dataset: origin?.dataset ?? null,
    problem: (text) => unreadable(`${name} ${text}`),
  };
}

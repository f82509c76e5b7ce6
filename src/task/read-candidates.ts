import { messageOf } from "../errors.js";
import type { Task } from "../interfaces/index.js";
import { type Candidate, nameOf, type Unreadable } from "./candidate.js";
import { checkDigest } from "./dataset.js";
import { fetchFolders } from "./fetch-folders.js";
import type { GitFetcher } from "./git/fetcher.js";
import { readTask } from "./read.js";

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

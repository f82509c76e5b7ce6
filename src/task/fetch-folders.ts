import { join } from "node:path";
import type { Candidate } from "./candidate.js";
import type { Commit } from "./git/checkouts.js";
import type { GitFetcher } from "./git/fetcher.js";
import { findLfsPointer } from "./git/lfs.js";
import { findFolderProblem, findLinkProblem } from "./git/repo-path.js";

/** Gets the folders of tasks in repositories, one commit at a time; then tells where each task is. */
export async function fetchFolders(
  candidates: readonly Candidate[],
  fetcher: GitFetcher,
): Promise<(candidate: Candidate) => string> {
  const wanted = new Map<string, { commit: Commit; paths: string[] }>();
  for (const { place } of candidates) {
    if ("dir" in place) continue;
    const group = wanted.get(keyOf(place.commit)) ?? { commit: place.commit, paths: [] };
    group.paths.push(place.path);
    wanted.set(keyOf(place.commit), group);
  }
  const checkouts = new Map<string, string>();
  for (const [key, { commit, paths }] of wanted)
    checkouts.set(key, await fetcher.checkout(commit, paths));
  return ({ place, problem }) => {
    if ("dir" in place) return place.dir;
    const { commit, path } = place;
    const checkout = checkouts.get(keyOf(commit)) as string;
    const found =
      findFolderProblem(checkout, path) ??
      findLinkProblem(checkout, path) ??
      findLfsProblem(checkout, path);
    if (found) throw problem(`is ${path} of ${commit.url}, which ${found}`);
    return join(checkout, path);
  };
}

function findLfsProblem(checkout: string, path: string): string | null {
  const pointer = findLfsPointer(checkout, path);
  if (pointer === null) return null;
  return `needs Git LFS for ${pointer}: install git-lfs, run "git lfs install", and remove ${checkout}`;
}

function keyOf({ url, id }: Commit): string {
  return `${url} ${id}`;
}

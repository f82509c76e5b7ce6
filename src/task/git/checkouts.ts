import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import {
  cacheFolder,
  makeFolder,
  nameForUrl,
  removeCached,
  shortHash,
  temporaryPath,
} from "../cache.js";
import { type Git, GitError } from "./command.js";

/** A commit of a repository. */
export interface Commit {
  url: string;
  id: string;
}

/** Some folders of a commit, in the cache. Once there, an entry never changes. */
interface Entry {
  dir: string;
  /** The folders that it has, `""` for all. */
  paths: string[];
}

const PATHS = "paths.json";

/** The checkout of an entry that has all of these folders, as they are in the commit; else null. */
export async function findCheckout(
  git: Git,
  commit: Commit,
  paths: string[],
  onBroken: () => void,
): Promise<string | null> {
  for (const entry of listEntries(commit)) {
    if (!paths.every((path) => entry.paths.some((own) => contains(own, path)))) continue;
    const tree = treeOf(entry.dir, commit);
    if (await isIntact(git, tree, commit.id)) return tree;
    onBroken();
    removeCached(entry.dir);
  }
  return null;
}

/** Makes an entry under a temporary name, and then gives it its own, unless another process was first. */
export async function addCheckout(
  commit: Commit,
  paths: string[],
  draft: { watch(dir: string): void; fill(tree: string): Promise<void> },
): Promise<string> {
  const dir = temporaryPath();
  const tree = treeOf(dir, commit);
  draft.watch(dir);
  try {
    mkdirSync(tree, { recursive: true });
    await draft.fill(tree);
    writeFileSync(join(dir, PATHS), JSON.stringify(paths));
    const final = join(commitFolder(commit), shortHash(JSON.stringify(paths)));
    makeFolder(commitFolder(commit));
    renameUnlessThere(dir, final);
    return treeOf(final, commit);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function renameUnlessThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOTEMPTY" && code !== "EEXIST") throw error;
  }
}

function listEntries(commit: Commit): Entry[] {
  const folder = commitFolder(commit);
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => {
    const dir = join(folder, name);
    try {
      return [{ dir, paths: JSON.parse(readFileSync(join(dir, PATHS), "utf8")) as string[] }];
    } catch {
      removeCached(dir);
      return [];
    }
  });
}

function commitFolder({ url, id }: Commit): string {
  return join(cacheFolder(), "repositories", nameForUrl(url), id);
}

/** Named as the repository, which may itself be a task. */
function treeOf(entry: string, { url }: Commit): string {
  return join(entry, /([\w.-]*?)(\.git)?\/*$/.exec(url)?.[1] || "tree");
}

function contains(outer: string, inner: string): boolean {
  return outer === "" || outer === inner || inner.startsWith(`${outer}/`);
}

/** Whether a checkout is of the commit, and no file in it was changed, added or removed. */
async function isIntact(git: Git, tree: string, id: string): Promise<boolean> {
  const options = { cwd: tree };
  try {
    if ((await git(["rev-parse", "--verify", "HEAD"], options)) !== id) return false;
    const flags = ["--porcelain", "--untracked-files=all", "--ignored=matching", "--no-renames"];
    return (await git(["status", ...flags], options)) === "";
  } catch (error) {
    if (error instanceof GitError) return false;
    throw error;
  }
}

import { readdirSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { dirname, join, posix, resolve, sep } from "node:path";

/** A folder's path in a repository without `./` and final slashes, or null if it could lead out. */
export function cleanRepoPath(path: string): string | null {
  if (path.startsWith("/") || /[\p{Cc}\\]/u.test(path)) return null;
  if (path.split("/").some((part) => part === ".." || part.toLowerCase() === ".git")) return null;
  const clean = posix.normalize(path).replace(/\/$/, "");
  return clean === "." ? "" : clean;
}

/** Why a folder of a checkout can't be used: it is missing, or leads out of the checkout; else null. */
export function findFolderProblem(checkout: string, path: string): string | null {
  const dir = join(checkout, path);
  if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory())
    return "is no folder of the repository at that commit";
  return isBelow(realpathSync(dir), realpathSync(checkout)) ? null : "leads out of the repository";
}

/** Why a task's folder can't be read safely, or null: a link in it leads out of the checkout. */
export function findLinkProblem(checkout: string, path: string): string | null {
  const link = findLinkOut(realpathSync(join(checkout, path)), realpathSync(checkout));
  return link === null ? null : `contains a link that leads out of the repository: ${link}`;
}

/** The first link in a folder that leads somewhere else on this machine, where others' files are. */
function findLinkOut(dir: string, root: string): string | null {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isSymbolicLink()) {
      const target = readlinkSync(path);
      if (!isBelow(resolve(dirname(path), target), root) || !isBelow(realTarget(path, root), root))
        return `${path.slice(root.length + 1)} -> ${target}`;
    } else if (entry.isDirectory() && path !== join(root, ".git")) {
      const found = findLinkOut(path, root);
      if (found !== null) return found;
    }
  }
  return null;
}

/** Through any further links; a link to nothing stays where it is. */
function realTarget(path: string, root: string): string {
  try {
    return realpathSync(path);
  } catch {
    return root;
  }
}

function isBelow(path: string, root: string): boolean {
  return path === root || path.startsWith(root + sep);
}

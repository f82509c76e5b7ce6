import { realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** More mounts than this make each start slow. */
const MANY = 200;

/**
 * The real paths of what is to be hidden, without what is in another one. Folders with many of them
 * are hidden as a whole, unless they are among those to be kept in sight.
 */
export function hideAll(paths: readonly string[], keep: readonly string[]): string[] {
  const found = withoutInner(paths.flatMap(realPaths));
  if (found.length <= MANY) return found;
  const parents = new Set(found.map((path) => dirname(path)));
  const whole = [...parents].filter((dir) => !keep.some((path) => isWithin(path, dir)));
  return withoutInner([...found, ...whole]);
}

export function isWithin(path: string, dir: string): boolean {
  return path === dir || path.startsWith(dir === "/" ? dir : `${dir}/`);
}

/** Not, if it is somewhere that only others may look. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** None, if there is no such file or folder. */
export function realPaths(path: string): string[] {
  // The empty path would be this process' own folder.
  if (path === "") return [];
  try {
    return [realpathSync(path)];
  } catch {
    return [];
  }
}

function withoutInner(paths: string[]): string[] {
  const outer: string[] = [];
  for (const path of [...new Set(paths)].sort((a, b) => a.length - b.length))
    if (path !== "/" && !outer.some((other) => isWithin(path, other))) outer.push(path);
  return outer;
}

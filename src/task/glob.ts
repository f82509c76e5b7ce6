import { join, relative, resolve } from "node:path";
import picomatch from "picomatch";
import { entriesIn, isFolder } from "./text.js";

const TASK_FILES = new Set(["task.toml", "task.yaml"]);
const SKIPPED = new Set(["node_modules", ".git"]);

export function isGlob(path: string): boolean {
  return picomatch.scan(path).isGlob;
}

/** The folders that a glob matches, none within another; a matching task file counts as its folder. */
export function expandGlob(glob: string): string[] {
  const { base, glob: given } = picomatch.scan(glob);
  const pattern = given.replace(/\/+$/, "");
  const start = resolve(base);
  const matches = picomatch(pattern);
  const depth = pattern.includes("**") ? Number.POSITIVE_INFINITY : pattern.split("/").length;
  const found = new Set<string>();
  const walk = (dir: string, left: number) => {
    for (const entry of entriesIn(dir)) {
      if (SKIPPED.has(entry.name)) continue;
      const path = join(dir, entry.name);
      const matched = matches(relative(start, path));
      if (matched && TASK_FILES.has(entry.name)) found.add(dir);
      else if (matched && isFolder(path)) found.add(path);
      else if (entry.isDirectory() && left > 1) walk(path, left - 1);
    }
  };
  walk(start, depth);
  return [...found];
}

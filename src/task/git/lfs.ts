import { closeSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { readTextIfExists } from "../text.js";

const POINTER = "version https://git-lfs.github.com/spec/";
const MAX_POINTER_BYTES = 1024;

/** The first file of a folder whose content is on a Git LFS server and wasn't fetched from there. */
export function findLfsPointer(checkout: string, path: string): string | null {
  const uses = foldersAbove(path).some((folder) =>
    readTextIfExists(join(checkout, folder, ".gitattributes"))?.includes("filter=lfs"),
  );
  if (!uses) return null;
  const files = readdirSync(join(checkout, path), { recursive: true, withFileTypes: true });
  const found = files
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .find(isPointer);
  return found?.slice(checkout.length + 1) ?? null;
}

function foldersAbove(path: string): string[] {
  return path === "" || path === "." ? [""] : [...foldersAbove(dirname(path)), path];
}

function isPointer(file: string): boolean {
  if (statSync(file).size > MAX_POINTER_BYTES) return false;
  const start = Buffer.alloc(POINTER.length);
  const open = openSync(file, "r");
  try {
    readSync(open, start);
  } finally {
    closeSync(open);
  }
  return start.toString("latin1") === POINTER;
}

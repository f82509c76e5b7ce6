import { createHash } from "node:crypto";
import { readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";

const NOISE = /^(__pycache__|\.DS_Store|.*\.(pyc|swp|swo)|.*~)$/;

/** SHA-256 over names and contents of the files at these paths below a folder, in a fixed order. */
export async function digestFolder(dir: string, only: string[] = [""]): Promise<string> {
  const files: [name: string, hash: string][] = [];
  for (const name of only) await addPath(dir, name, files);
  files.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const total = createHash("sha256");
  for (const [name, hash] of files) total.update(`${name}\0${hash}\n`);
  return total.digest("hex");
}

async function addPath(dir: string, name: string, files: [string, string][]): Promise<void> {
  const path = join(dir, name);
  const entries = await readdir(path, { withFileTypes: true }).catch((error) => {
    if (error.code === "ENOTDIR" || error.code === "ENOENT") return null;
    throw error;
  });
  if (!entries) {
    const content = await readFile(path).catch(() => null);
    if (content) files.push([name, hashOf(content)]);
    return;
  }
  for (const entry of entries) {
    if (NOISE.test(entry.name)) continue;
    const child = name === "" ? entry.name : `${name}/${entry.name}`;
    if (entry.isDirectory()) await addPath(dir, child, files);
    else if (entry.isSymbolicLink()) files.push([child, hashOf(await readlink(join(dir, child)))]);
    else if (entry.isFile()) files.push([child, hashOf(await readFile(join(dir, child)))]);
  }
}

function hashOf(content: Buffer | string): string {
  return createHash("sha256").update(content).digest("hex");
}

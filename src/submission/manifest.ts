import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";

export const MANIFEST = "manifest.json";

/** Content of `manifest.json`: what a submission contains, so that any change is noticed. */
export interface Manifest {
  format_version: number;
  term_run: string;
  /** ISO 8601. */
  submitted_at: string;
  run: string;
  agent: { name: string; spec: string };
  tasks: { task: string; task_digest: string }[];
  /** By path below the folder, with slashes. */
  files: Record<string, FileRecord>;
}

export interface FileRecord {
  sha256: string;
  bytes: number;
}

export async function hashFile(path: string): Promise<FileRecord> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return { sha256: hash.digest("hex"), bytes: (await stat(path)).size };
}

export interface FoundFiles {
  files: string[];
  /** Links, sockets and the like, which a submission must not contain. */
  others: string[];
}

/** Everything below a folder, in a fixed order; links are not followed. */
export async function listFiles(dir: string, below = ""): Promise<FoundFiles> {
  const found: FoundFiles = { files: [], others: [] };
  const entries = await readdir(join(dir, below), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) {
      const inner = await listFiles(dir, path);
      found.files.push(...inner.files);
      found.others.push(...inner.others);
    } else (entry.isFile() ? found.files : found.others).push(path);
  }
  return found;
}

import { createReadStream } from "node:fs";
import { lstat, readdir, readlink } from "node:fs/promises";
import { join, posix } from "node:path";
import { pipeline } from "node:stream/promises";
import { type Pack, pack } from "tar-stream";
import type { UploadOptions } from "../interfaces/index.js";

/** Streams a folder's contents as a tar, owned by root, modes and links kept. */
export function packFolder(dir: string, options: UploadOptions & { under?: string } = {}): Pack {
  const out = pack();
  const { under = "", only = null, executable = [] } = options;
  const wanted = (path: string) => path.includes("/") || !only || only.includes(path);
  addFolder(out, { dir, under, wanted, executable }, "").then(
    () => out.finalize(),
    (error) => out.destroy(error),
  );
  return out;
}

async function addFolder(
  out: Pack,
  from: { dir: string; under: string; wanted: (path: string) => boolean; executable: string[] },
  below: string,
): Promise<void> {
  const entries = await readdir(join(from.dir, below), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const child = posix.join(below, entry.name);
    if (!from.wanted(child)) continue;
    const path = join(from.dir, child);
    const inTar = posix.join(from.under, child);
    const stat = await lstat(path);
    const header = {
      name: inTar,
      mode: modeOf(stat.mode, child, from),
      mtime: stat.mtime,
      uid: 0,
      gid: 0,
    };
    if (entry.isDirectory()) {
      out.entry({ ...header, type: "directory" });
      await addFolder(out, from, child);
    } else if (entry.isSymbolicLink()) {
      out.entry({ ...header, type: "symlink", linkname: await readlink(path) });
    } else if (entry.isFile()) {
      await pipeline(createReadStream(path), out.entry({ ...header, size: stat.size }));
    }
  }
}

function modeOf(mode: number, path: string, { executable }: { executable: string[] }): number {
  return (mode & 0o7777) | (executable.includes(path) ? 0o555 : 0);
}

import { createReadStream, createWriteStream } from "node:fs";
import { lstat, mkdir, readdir, readlink } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { extract, type Pack, pack } from "tar-stream";

/** What one download may bring to the host: logs, not disk images. */
const MAX_EXTRACT_BYTES = 512 * 1024 * 1024;

/** Streams a folder's contents as a tar, owned by root, modes and links kept. */
export function packFolder(
  dir: string,
  options: { under?: string; only?: string[] | null } = {},
): Pack {
  const out = pack();
  const { under = "", only = null } = options;
  addFolder(out, dir, under, only).then(
    () => out.finalize(),
    (error) => out.destroy(error),
  );
  return out;
}

async function addFolder(
  out: Pack,
  dir: string,
  name: string,
  only: string[] | null = null,
): Promise<void> {
  const entries = await readdir(dir, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (only && !only.includes(entry.name)) continue;
    const path = join(dir, entry.name);
    const inTar = posix.join(name, entry.name);
    const stat = await lstat(path);
    const header = { name: inTar, mode: stat.mode & 0o7777, mtime: stat.mtime, uid: 0, gid: 0 };
    if (entry.isDirectory()) {
      out.entry({ ...header, type: "directory" });
      await addFolder(out, path, inTar);
    } else if (entry.isSymbolicLink()) {
      out.entry({ ...header, type: "symlink", linkname: await readlink(path) });
    } else if (entry.isFile()) {
      await pipeline(createReadStream(path), out.entry({ ...header, size: stat.size }));
    }
  }
}

/**
 * Writes the regular files and folders of a tar that came out of a sandbox. Its content is the
 * agent's: links and devices are left out, and no name can lead outside of the folder.
 */
export async function extractInto(tar: Readable, dir: string, strip = 0): Promise<void> {
  const reader = extract();
  let bytes = 0;
  reader.on("entry", (header, stream, next) => {
    const target = safePath(dir, header.name, strip);
    const done = async () => {
      if (target && header.type === "directory") await mkdir(target, { recursive: true });
      if (!target || header.type !== "file") return void stream.resume();
      bytes += header.size ?? 0;
      if (bytes > MAX_EXTRACT_BYTES) throw new Error("the sandbox's folder is too large to fetch");
      await mkdir(dirname(target), { recursive: true });
      await pipeline(stream, createWriteStream(target));
    };
    done().then(() => next(), next);
  });
  await pipeline(tar, reader);
}

function safePath(dir: string, name: string, strip: number): string | null {
  const parts = name.split("/").filter((part) => part !== "" && part !== ".");
  const kept = parts.slice(strip);
  if (kept.length === 0 || parts.includes("..")) return null;
  return join(dir, ...kept);
}

import { createReadStream, createWriteStream } from "node:fs";
import { lstat, mkdir, readdir, readlink } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import picomatch from "picomatch";
import { extract, type Pack, pack } from "tar-stream";
import type { DownloadOptions, UploadOptions } from "../interfaces/index.js";

/** How much one download may copy to the host: logs, not disk images. */
const MAX_EXTRACT_BYTES = 512 * 1024 * 1024;

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

/**
 * Writes the regular files and folders of a tar that came out of a sandbox. Its content is the
 * agent's: links and devices are left out, and no name can lead outside the folder. The tar
 * holds one thing, a file or a folder: with `as` it gets that name, without it a folder's contents
 * land in `dir` itself.
 */
export async function extractInto(
  tar: Readable,
  dir: string,
  options: DownloadOptions = {},
): Promise<void> {
  const reader = extract();
  const unwanted = picomatch(options.exclude ?? [], { dot: true, basename: true });
  let bytes = 0;
  reader.on("entry", (header, stream, next) => {
    const target = safePath(dir, header.name, options.as, unwanted);
    const done = async () => {
      if (target && header.type === "directory") await mkdir(target, { recursive: true });
      if (!target || header.type !== "file") return void stream.resume();
      bytes += header.size ?? 0;
      if (bytes > MAX_EXTRACT_BYTES) throw new Error("the sandbox's folder is too large to copy");
      await mkdir(dirname(target), { recursive: true });
      await pipeline(stream, createWriteStream(target));
    };
    done().then(() => next(), next);
  });
  await pipeline(tar, reader);
}

function safePath(
  dir: string,
  name: string,
  as: string | undefined,
  unwanted: (path: string) => boolean,
): string | null {
  const parts = name.split("/").filter((part) => part !== "" && part !== ".");
  const below = parts.slice(1);
  if (parts.length === 0 || parts.includes("..")) return null;
  if (below.some((_, at) => unwanted(below.slice(0, at + 1).join("/")))) return null;
  if (as !== undefined) return join(dir, as, ...below);
  return below.length === 0 ? null : join(dir, ...below);
}

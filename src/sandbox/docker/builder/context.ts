import { lstat, readdir, readFile, readlink } from "node:fs/promises";
import { join, posix } from "node:path";
import type { Build } from "../../../task/index.js";
import { dockerfilePath } from "./dockerfile-path.js";
import { type Ignore, readIgnore } from "./ignore.js";

/** One file, folder or link of a build's context. */
export interface ContextEntry {
  path: string;
  kind: "file" | "folder" | "link";
  mode: number;
  size: number;
  mtimeNs: bigint;
  linkname: string;
  /** Where its content is: a file on the host, or here. */
  source: { file: string } | { text: string };
}

export interface BuildInput {
  build: Build;
  dockerfile: string;
  ignore: Ignore;
  /** Files that the Dockerfile needs beside those of the folder. */
  extraFiles: { path: string; text: string; mode: number }[];
}

export async function readInput(build: Build): Promise<BuildInput> {
  return {
    build,
    dockerfile: await readFile(dockerfilePath(build), "utf8"),
    ignore: await readIgnore(build),
    extraFiles: [],
  };
}

/** The context without what is ignored, each folder before what is in it, in the order of names. */
export async function listContext({ build, ignore, extraFiles }: BuildInput) {
  const kept = new Map(extraFiles.map(({ path, text, mode }) => [path, entryOf(path, text, mode)]));
  const passed = new Map<string, ContextEntry>();
  for await (const entry of walk(build.contextDir, ignore, ""))
    (ignore.leavesOut(entry.path) ? passed : kept).set(entry.path, entry);
  // The folders of extra files, and of what an exception keeps.
  for (const path of [...kept.keys()])
    for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) {
      const folder = path.slice(0, at);
      if (!kept.has(folder)) kept.set(folder, passed.get(folder) ?? folderOf(folder));
    }
  return [...kept.values()].sort((a, b) => compareNames(a.path, b.path));
}

/** A file that isn't on the host. */
export function entryOf(path: string, text: string, mode: number): ContextEntry {
  const size = Buffer.byteLength(text);
  return { path, kind: "file", mode, size, mtimeNs: 0n, linkname: "", source: { text } };
}

function folderOf(path: string): ContextEntry {
  return { ...entryOf(path, "", 0o755), kind: "folder" };
}

async function* walk(dir: string, ignore: Ignore, below: string): AsyncGenerator<ContextEntry> {
  for (const name of await readdir(join(dir, below))) {
    const path = posix.join(below, name);
    const entry = await readEntry(join(dir, path), path);
    const isLeftOut = ignore.leavesOut(path);
    if (!entry || (isLeftOut && !(entry.kind === "folder" && ignore.hasExceptions))) continue;
    yield entry;
    if (entry.kind === "folder") yield* walk(dir, ignore, path);
  }
}

/** null for what no image can hold, such as sockets. */
async function readEntry(file: string, path: string): Promise<ContextEntry | null> {
  const stat = await lstat(file, { bigint: true });
  const base = { path, mode: Number(stat.mode) & 0o7777, mtimeNs: stat.mtimeNs, source: { file } };
  if (stat.isDirectory()) return { ...base, kind: "folder", size: 0, linkname: "" };
  if (stat.isSymbolicLink())
    return { ...base, kind: "link", size: 0, linkname: await readlink(file) };
  return stat.isFile() ? { ...base, kind: "file", size: Number(stat.size), linkname: "" } : null;
}

/** As BuildKit sorts: name by name, byte by byte. */
function compareNames(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a.replaceAll("/", "\0")), Buffer.from(b.replaceAll("/", "\0")));
}

import { basename, dirname, extname, resolve } from "node:path";
import { messageOf } from "../errors.js";
import type { Task } from "../interfaces/index.js";
import { packageDigest } from "./digest.js";
import { type Document, readJson, readToml } from "./document.js";
import { Fields } from "./fields.js";
import { looksLikeTask, readTask } from "./read.js";
import { namesIn, unreadable } from "./text.js";
import { findTaskFolders } from "./walk.js";

/** A task folder, and the hash that its content must have, if one was given. */
export interface Listed {
  dir: string;
  digest: { hex: string; where: string } | null;
}

export function isDatasetFile(path: string): boolean {
  return [".toml", ".json"].includes(extname(path)) && basename(path) !== "task.toml";
}

/** The folders that a dataset file lists by path, or by the name of a task beside the file. */
export async function readDataset(file: string, problems: string[]): Promise<Listed[]> {
  const document = extname(file) === ".json" ? readJson(file) : readToml(file);
  const entries = Fields.of(asTable(document)).tablesOr("tasks", "path");
  if (entries.length === 0) throw unreadable(`${file}: no tasks are listed`);
  const listed: Listed[] = [];
  let named: Map<string, string> | null = null;
  for (const entry of entries) {
    try {
      const digest = readDigest(entry);
      const path = entry.string("path");
      const name = path === null ? entry.required("name") : null;
      let dir: string | undefined;
      if (name === null) dir = resolve(dirname(file), path as string);
      else {
        named ??= await nameTasks(dirname(file));
        dir = named.get(name) ?? named.get(basename(name));
      }
      if (dir === undefined || !looksLikeTask(namesIn(dir)))
        throw entry.problem(name === null ? "path" : "name", `is ${name ?? path}: no such task`);
      listed.push({ dir, digest });
    } catch (error) {
      problems.push(messageOf(error));
    }
  }
  return listed;
}

/** A digest may be the one of packages, or the one that results of a run show. */
export function checkDigest(task: Task, { digest, dir }: Listed): void {
  if (digest === null) return;
  const actual = packageDigest(dir);
  if (digest.hex !== actual && digest.hex !== task.digest)
    throw unreadable(`${digest.where} is sha256:${digest.hex}, but ${dir} has sha256:${actual}`);
}

/** A plain list, or the list of a table; a list of datasets is taken as one. */
function asTable(document: Document): Document {
  const { value } = document;
  if (!Array.isArray(value)) return document;
  const tasks = value.flatMap((entry) => entry?.tasks ?? [entry]);
  return { ...document, value: { tasks } };
}

function readDigest(entry: Fields): Listed["digest"] {
  if (entry.has("git_url")) throw entry.problem("git_url", "is not supported: list a local folder");
  const digest = entry.string("digest");
  if (digest === null) return null;
  const hex = /^(?:sha256:)?([0-9a-f]{64})$/i.exec(digest)?.[1]?.toLowerCase();
  if (hex === undefined) throw entry.wrong("digest", "sha256: and 64 hex digits", digest);
  return { hex, where: entry.place("digest") };
}

/** Folder by task name, and by folder name. One that can't be read only has the latter. */
async function nameTasks(dir: string): Promise<Map<string, string>> {
  const named = new Map<string, string>();
  for (const folder of findTaskFolders(dir)) {
    named.set(basename(folder), folder);
    const task = await readTask(folder).catch(() => null);
    if (task) named.set(task.name, folder);
  }
  return named;
}

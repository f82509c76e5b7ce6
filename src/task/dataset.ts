import { basename } from "node:path";
import { messageOf, type TermRunError } from "../errors.js";
import type { Task } from "../interfaces/index.js";
import type { Candidate, Unreadable } from "./candidate.js";
import { packageDigest } from "./digest.js";
import { type ListPlace, placeEntry } from "./place.js";
import { nameOfFolder } from "./read.js";
import type { Dataset } from "./registry/dataset.js";
import type { Digest, Entry } from "./registry/entry.js";
import { unreadable } from "./text.js";
import { findTaskFolders } from "./walk.js";

/** The tasks that a dataset lists, and those that it lists wrongly. */
export async function listDataset(
  dataset: Dataset,
  given: Omit<ListPlace, "findByName">,
): Promise<{ listed: Candidate[]; unreadable: Unreadable[] }> {
  const place = { ...given, findByName: findByName(given.base.dir) };
  const listed: Candidate[] = [];
  const wrong: Unreadable[] = [];
  for (const [index, read] of dataset.entries.entries()) {
    let entry: Entry | null = null;
    try {
      entry = read();
      listed.push(...(await placeEntry(entry, place)));
    } catch (error) {
      if ((error as TermRunError).code !== "task_unreadable") throw error;
      const task = entry?.name ?? entry?.path ?? `number ${index + 1}`;
      wrong.push({ task, dir: null, problem: messageOf(error) });
    }
  }
  return { listed, unreadable: wrong };
}

/** A digest may be the one of packages, or the one that results of a run show. */
export function checkDigest(task: Task, digest: Digest | null): void {
  if (digest === null) return;
  const { dir } = task;
  const actual = packageDigest(dir);
  if (digest.hex !== actual && digest.hex !== task.digest)
    throw unreadable(`${digest.place()} is sha256:${digest.hex}, but ${dir} has sha256:${actual}`);
}

/** By task name, else by folder name; the folders are looked through when the first is asked for. */
function findByName(dir: string | null): ListPlace["findByName"] {
  let named: Map<string, string> | null = null;
  return (name) => {
    named ??= new Map(
      (dir === null ? [] : findTaskFolders(dir)).flatMap((folder) => [
        [basename(folder), folder],
        [nameOfFolder(folder), folder],
      ]),
    );
    return named.get(name) ?? named.get(basename(name)) ?? null;
  };
}

import { statSync } from "node:fs";
import { messageOf, TermRunError } from "../errors.js";
import type { Task } from "../interfaces/index.js";
import { findTaskFolders, findTasks, readTask } from "../task/index.js";

export interface Unreadable {
  dir: string;
  problem: string;
}

/** The tasks at these paths, and the folders that should be tasks and can't be read. */
export async function readTasks(
  paths: string[],
): Promise<{ tasks: Task[]; unreadable: Unreadable[] }> {
  try {
    return { tasks: await findTasks(paths), unreadable: [] };
  } catch (error) {
    // An error in a dataset file or a pattern isn't about one folder.
    if (!isUnreadable(error) || !paths.every(isFolder)) throw error;
    const { readable, unreadable } = await sort(paths.flatMap((path) => findTaskFolders(path)));
    if (unreadable.length === 0) throw error;
    return { tasks: readable.length > 0 ? await findTasks(readable) : [], unreadable };
  }
}

async function sort(dirs: string[]): Promise<{ readable: string[]; unreadable: Unreadable[] }> {
  const readable: string[] = [];
  const unreadable: Unreadable[] = [];
  for (const dir of new Set(dirs)) {
    try {
      await readTask(dir);
      readable.push(dir);
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      unreadable.push({ dir, problem: messageOf(error) });
    }
  }
  return { readable, unreadable };
}

function isUnreadable(error: unknown): boolean {
  return error instanceof TermRunError && error.code === "task_unreadable";
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

import { statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { messageOf, TermRunError } from "../errors.js";
import type { Task } from "../interfaces/index.js";
import { checkDigest, isDatasetFile, type Listed, readDataset } from "./dataset.js";
import { expandGlob, isGlob } from "./glob.js";
import { readTask } from "./read.js";
import { findTaskFolders } from "./walk.js";

const TASK_FILES = ["task.toml", "task.yaml"];

/**
 * Reads every task at or below these paths, which may be globs or dataset files.
 * Those that can't be read are reported together.
 */
export async function findTasks(paths: string[]): Promise<Task[]> {
  const problems: string[] = [];
  const listed = new Map<string, Listed>();
  for (const path of paths) {
    const entries = await list(path, problems).catch((error) => {
      if (error.code !== "task_unreadable") throw error;
      problems.push(error.message);
      return [];
    });
    for (const entry of entries) if (!listed.get(entry.dir)?.digest) listed.set(entry.dir, entry);
  }
  const tasks: Task[] = [];
  for (const entry of listed.values()) {
    try {
      const task = await readTask(entry.dir);
      checkDigest(task, entry);
      tasks.push(task);
    } catch (error) {
      problems.push(messageOf(error));
    }
  }
  problems.push(...findDuplicates(tasks));
  if (problems.length > 0) {
    const count = problems.length === 1 ? "a task" : `${problems.length} tasks`;
    throw new TermRunError(
      "task_unreadable",
      `${count} can't be read:\n  ${problems.join("\n  ")}`,
    );
  }
  return tasks.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The task folders for one path; what is wrong with a dataset's entries is added to `problems`. */
async function list(given: string, problems: string[]): Promise<Listed[]> {
  const path = resolve(given);
  const info = statSync(path, { throwIfNoEntry: false });
  if (!info && isGlob(given)) {
    const found = expandGlob(given).flatMap((dir) => findTaskFolders(dir));
    if (found.length === 0)
      throw new TermRunError("usage", `no task matches ${given}`, {
        hint: "Quote the pattern, so that the shell doesn't expand it.",
      });
    return found.map((dir) => ({ dir, digest: null }));
  }
  if (!info)
    throw new TermRunError("usage", `no such file or folder: ${path}`, {
      hint: "Give a task folder, a folder of tasks, a glob or a dataset file.",
    });
  if (!info.isDirectory() && isDatasetFile(path)) return readDataset(path, problems);
  const start = TASK_FILES.includes(basename(path)) ? dirname(path) : path;
  const found = info.isDirectory() || start !== path ? findTaskFolders(start) : [];
  if (found.length === 0)
    throw new TermRunError("usage", `no task found in ${path}`, {
      hint: "A task is a folder with a task.toml and an instruction.md, or with a task.yaml.",
    });
  return found.map((dir) => ({ dir, digest: null }));
}

function findDuplicates(tasks: Task[]): string[] {
  const seen = new Map<string, Task>();
  const problems: string[] = [];
  for (const task of tasks) {
    const other = seen.get(task.name);
    if (other) problems.push(`two tasks are named ${task.name}: ${other.dir} and ${task.dir}`);
    seen.set(task.name, task);
  }
  return problems;
}

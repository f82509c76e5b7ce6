import { readdir, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { messageOf, TermRunError } from "../errors.js";
import type { Task } from "../interfaces.js";
import { readTask } from "./read.js";

const SKIPPED = new Set(["node_modules", ".git"]);

/** Reads every task at or below these paths. Those that can't be read are named all at once. */
export async function findTasks(paths: string[]): Promise<Task[]> {
  const dirs = new Set<string>();
  for (const path of paths) for (const dir of await findTaskFolders(resolve(path))) dirs.add(dir);
  const tasks: Task[] = [];
  const problems: string[] = [];
  for (const dir of dirs) {
    try {
      tasks.push(await readTask(dir));
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

async function findTaskFolders(path: string): Promise<string[]> {
  const info = await stat(path).catch(() => null);
  if (!info)
    throw new TermRunError("usage", `there is no file or folder ${path}`, {
      hint: "Give a task folder, or a folder of tasks.",
    });
  const start = info.isDirectory()
    ? path
    : basename(path) === "task.toml"
      ? join(path, "..")
      : null;
  const found = start ? await walk(start) : [];
  if (found.length === 0)
    throw new TermRunError("usage", `there is no task in ${path}`, {
      hint: "A task is a folder with a task.toml and an instruction.md.",
    });
  return found;
}

async function walk(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { withFileTypes: true });
  if (entries.some((entry) => entry.name === "task.toml")) return [dir];
  const folders = entries.filter((entry) => entry.isDirectory() && !SKIPPED.has(entry.name));
  const found: string[] = [];
  for (const folder of folders) found.push(...(await walk(join(dir, folder.name))));
  return found;
}

function findDuplicates(tasks: Task[]): string[] {
  const seen = new Map<string, Task>();
  const problems: string[] = [];
  for (const task of tasks) {
    const other = seen.get(task.name);
    if (other) problems.push(`two tasks are called ${task.name}: ${other.dir} and ${task.dir}`);
    seen.set(task.name, task);
  }
  return problems;
}

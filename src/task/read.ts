import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import type { Task } from "../interfaces/index.js";
import { readToml } from "./document.js";
import { readHarborTask } from "./harbor/task.js";
import { readTerminalBenchTask } from "./terminal-bench.js";
import { unreadable } from "./text.js";

/** Whether a folder with these names in it is meant to be a task. */
export function looksLikeTask(names: ReadonlySet<string>): boolean {
  if (names.has("task.toml") || names.has("task.yaml")) return true;
  return names.has("instruction.md") && names.has("tests");
}

/** Reads a task folder of either layout; with both files it is a Harbor task. */
export async function readTask(dir: string): Promise<Task> {
  if (existsSync(join(dir, "task.toml"))) return readHarborTask(dir);
  if (existsSync(join(dir, "task.yaml"))) return readTerminalBenchTask(dir);
  throw unreadable(`${dir}: task.toml is missing`);
}

/** The name of the task in a folder, even if the rest can't be read: then its folder's, if need be. */
export function nameOfFolder(dir: string): string {
  const file = join(dir, "task.toml");
  try {
    const value = existsSync(file) ? readToml(file).value : null;
    const name = (value as { task?: { name?: unknown } } | null)?.task?.name;
    if (typeof name === "string" && name !== "") return name;
  } catch {
    // Whoever needs more than the name finds out.
  }
  return basename(dir);
}

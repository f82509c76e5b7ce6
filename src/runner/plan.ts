import picomatch from "picomatch";
import { TermRunError } from "../errors.js";
import type { Task } from "../interfaces/index.js";
import type { PlannedTrial } from "./types.js";

/** Keeps the tasks whose names match the globs. */
export function selectTasks(tasks: Task[], include: string[], exclude: string[]): Task[] {
  const wanted = include.length > 0 ? picomatch(include) : () => true;
  const unwanted = exclude.length > 0 ? picomatch(exclude) : () => false;
  const selected = tasks.filter((task) => wanted(task.name) && !unwanted(task.name));
  if (selected.length === 0)
    throw new TermRunError("usage", "no task is left after --include and --exclude", {
      hint: `The tasks are: ${tasks.map((task) => task.name).join(", ")}`,
    });
  return selected;
}

/** All first attempts before all second ones, so that every task has a result early. */
export function planTrials(tasks: Task[], attempts: number): Omit<PlannedTrial, "agent">[] {
  const trials: Omit<PlannedTrial, "agent">[] = [];
  for (let attempt = 1; attempt <= attempts; attempt++)
    for (const task of tasks) trials.push({ trial: nameTrial(task.name, attempt), task, attempt });
  return trials;
}

/** Also the name of its folder. */
export function nameTrial(task: string, ...more: (string | number)[]): string {
  return [task.replaceAll("/", "__"), ...more].join(".");
}

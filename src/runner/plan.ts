import type { Task } from "../interfaces/index.js";
import type { PlannedTrial } from "./types.js";

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

import type { RunRecord } from "../events/index.js";
import type { Task } from "../interfaces/index.js";
import { listDigests } from "../score/index.js";
import type { Problem } from "./problem.js";

/** Whether a run was made with these tasks, all of them and no others. */
export function checkTaskSet(record: RunRecord, tasks: readonly Task[]): Problem[] {
  const digests = listDigests(record);
  const known = new Map(tasks.map((task) => [task.name, task.digest]));
  const problem = (task: string, message: string): Problem => ({
    code: "tasks",
    where: task,
    message,
  });
  return [
    ...[...digests]
      .filter(([task, digest]) => known.has(task) && known.get(task) !== digest)
      .map(([task, digest]) => problem(task, `it was run with different files: ${digest}`)),
    ...[...digests.keys()]
      .filter((task) => !known.has(task))
      .map((task) => problem(task, "it is not in the task set")),
    ...[...known.keys()]
      .filter((task) => !digests.has(task))
      .map((task) => problem(task, "it was not run")),
  ];
}

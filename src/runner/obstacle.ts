import type { Agent, SandboxProvider, Task } from "../interfaces/index.js";
import { findRefusal } from "../sandbox/index.js";

/** Why a trial is skipped, and who can't do it: the task as it is written, the sandbox or the agent. */
export interface Obstacle {
  by: "task" | "sandbox" | "agent";
  reason: string;
}

/** The first reason not to run a task here; null if there is none. */
export function findObstacle(
  task: Task,
  agent: Agent,
  /** null: it isn't known. */
  sandbox: Pick<SandboxProvider, "kind" | "abilities"> | null,
): Obstacle | null {
  if (task.unsupported) return { by: "task", reason: task.unsupported };
  const refusal = sandbox && findRefusal(task, sandbox);
  if (refusal) return { by: "sandbox", reason: refusal };
  const unable = agent.unsupported?.(task);
  return unable ? { by: "agent", reason: unable } : null;
}

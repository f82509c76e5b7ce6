import { nop } from "../agent/builtin/nop.js";
import { oracle } from "../agent/builtin/oracle.js";
import type { Task } from "../interfaces/index.js";
import { nameTrial } from "../runner/plan.js";
import type { PlannedTrial } from "../runner/types.js";
import { onlooker } from "./onlooker.js";

/** Who tries a task, and how often: the same work must get the same reward. */
const AGENTS = [oracle, oracle, nop, nop, onlooker];

/** The trials that prove tasks, each in a sandbox of its own. */
export function planProofs(tasks: Task[]): PlannedTrial[] {
  return tasks.flatMap((task) =>
    AGENTS.map((agent, at) => {
      const attempt = AGENTS.slice(0, at + 1).filter((other) => other === agent).length;
      return { trial: nameTrial(task.name, agent.name, attempt), task, attempt, agent };
    }),
  );
}

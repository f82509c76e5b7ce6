import { nop, oracle } from "../agent/index.js";
import type { Task } from "../interfaces/index.js";
import { nameTrial, type PlannedTrial } from "../runner/index.js";
import { probe } from "./probe.js";

/** The agents of a check; two run twice, because the same work must get the same reward. */
const AGENTS = [oracle, oracle, nop, nop, probe];

/** The trials of a check, each in a sandbox of its own. */
export function planCheckTrials(tasks: Task[]): PlannedTrial[] {
  return tasks.flatMap((task) =>
    AGENTS.map((agent, at) => {
      const attempt = AGENTS.slice(0, at + 1).filter((other) => other === agent).length;
      return { trial: nameTrial(task.name, agent.name, attempt), task, attempt, agent };
    }),
  );
}

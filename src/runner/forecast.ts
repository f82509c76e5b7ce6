import { FORMAT_VERSION, type RunRecord } from "../events/index.js";
import type { Agent, SandboxProvider } from "../interfaces/index.js";
import { findObstacle, type Obstacle } from "./obstacle.js";
import type { PlannedTrial } from "./types.js";

/** What a run would do. */
export interface Forecast {
  format_version: number;
  agent: string;
  /** null: none is available. */
  sandbox: string | null;
  /** Names, in the order in which they would start. */
  trials: string[];
  tasks: TaskForecast[];
  unreadable: NonNullable<RunRecord["unreadable"]>;
  /** About the run as a whole. */
  warnings: string[];
}

export interface TaskForecast {
  task: string;
  dir: string;
  attempts: number[];
  /** null: its trials would run. */
  skipped: Obstacle | null;
  warnings: string[];
}

/** Says for each task whether its trials would run, and what is odd about it. */
export function forecastRun(
  planned: readonly PlannedTrial[],
  given: {
    agent: Agent;
    provider: SandboxProvider | null;
    unreadable: Forecast["unreadable"];
    warnings: string[];
  },
): Forecast {
  const tasks = new Map<string, TaskForecast>();
  for (const { task, attempt } of planned) {
    const known = tasks.get(task.name);
    if (known) known.attempts.push(attempt);
    else
      tasks.set(task.name, {
        task: task.name,
        dir: task.dir,
        attempts: [attempt],
        skipped: findObstacle(task, given.agent, given.provider),
        warnings: task.warnings,
      });
  }
  return {
    format_version: FORMAT_VERSION,
    agent: given.agent.name,
    sandbox: given.provider?.kind ?? null,
    trials: planned.map(({ trial }) => trial),
    tasks: [...tasks.values()].sort((a, b) => (a.task < b.task ? -1 : 1)),
    unreadable: given.unreadable,
    warnings: given.warnings,
  };
}

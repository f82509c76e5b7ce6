import { TermRunError } from "../errors.js";
import type { RunRecord, StoredRun } from "../events/index.js";
import type { Agent, Limits, Task } from "../interfaces/index.js";
import { type PlannedTrial, planTrials, selectTasks } from "../runner/index.js";
import { findTasks } from "../task/index.js";
import { limitsOf } from "./limits.js";
import type { RunFlags } from "./run-options.js";
import { pickShard } from "./shard.js";

/** What decides a run: from the command line, or from the folder of a run that is resumed. */
export interface RunSettings {
  agent: { spec: string; cwd: string };
  /** Variables for the agent: `NAME` or `NAME=value`. */
  env: string[];
  sandbox: string;
  image: string;
  hardened: boolean;
  limits: Limits;
  gradeTimeouts: boolean;
  concurrency: number;
  retries: number;
  tasks: Task[];
  trials: Omit<PlannedTrial, "agent">[];
  shard?: NonNullable<RunRecord["shard"]>;
  resumed?: StoredRun;
}

/** The settings of a new run. */
export async function readSettings(paths: string[], flags: RunFlags): Promise<RunSettings> {
  if (paths.length === 0)
    throw new TermRunError("usage", "no tasks given", {
      hint: "Give a task folder or a folder of tasks: term-run tasks/ --agent ./my-agent",
    });
  if (flags.agent === undefined)
    throw new TermRunError("usage", "no agent given", {
      hint: 'Give one: --agent ./my-agent, --agent "python3 -m my_agent", or the built-in oracle and nop.',
    });
  const tasks = selectTasks(await findTasks(paths), flags.include ?? [], flags.exclude ?? []);
  return {
    agent: { spec: flags.agent, cwd: process.cwd() },
    env: flags.env ?? [],
    sandbox: flags.sandbox,
    image: flags.image,
    hardened: flags.harden === true,
    limits: limitsOf(flags),
    gradeTimeouts: flags.gradeTimeouts === true,
    concurrency: flags.concurrency,
    retries: flags.retries,
    tasks,
    ...(await pickShard(planTrials(tasks, flags.attempts), flags)),
  };
}

export function withAgent(trials: RunSettings["trials"], agent: Agent): PlannedTrial[] {
  return trials.map((planned) => ({ ...planned, agent }));
}

import { TermRunError } from "../errors.js";
import type { LeashKind, RunRecord, StoredRun } from "../events/index.js";
import type { Agent, DownloadLimits, Limits, Task } from "../interfaces/index.js";
import { type PlannedTrial, planTrials } from "../runner/index.js";
import { describeUnreadable, type FoundTasks, findTasks } from "../task/index.js";
import { limitsOf } from "./limits.js";
import { withFetching } from "./registries.js";
import type { RunFlags } from "./run-options.js";
import { pickShard } from "./shard.js";

/** What decides a run: from the command line, or from the folder of a run that is resumed. */
export interface RunSettings {
  agent: { spec: string; cwd: string };
  /** Variables for the agent: `NAME` or `NAME=value`. */
  env: string[];
  /** null: the run that is resumed doesn't say. */
  leash: LeashKind | null;
  sandbox: string;
  image: string;
  hardened: boolean;
  strict: boolean;
  limits: Limits;
  gradeTimeouts: boolean;
  downloadLimits: Partial<DownloadLimits>;
  concurrency: number;
  retries: number;
  tasks: Task[];
  /** Left out, with `--skip-unreadable`. */
  unreadable: NonNullable<RunRecord["unreadable"]>;
  datasets: NonNullable<RunRecord["datasets"]>;
  /** About datasets. */
  warnings: string[];
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
  const { tasks, ...found } = await findChosen(paths, flags);
  return {
    agent: { spec: flags.agent, cwd: process.cwd() },
    env: flags.env ?? [],
    leash: flags.trustAgent ? "trusted" : null,
    sandbox: flags.sandbox,
    image: flags.image,
    hardened: flags.harden === true,
    strict: flags.strict === true,
    limits: limitsOf(flags),
    gradeTimeouts: flags.gradeTimeouts === true,
    downloadLimits: flags.artifactLimit ?? {},
    concurrency: flags.concurrency,
    retries: flags.retries,
    tasks,
    ...found,
    ...(await pickShard(planTrials(tasks, flags.attempts), flags)),
  };
}

/** The tasks at these paths, as the options choose them. */
export async function findChosen(paths: string[], flags: RunFlags): Promise<FoundTasks> {
  const { include, exclude, skipUnreadable } = flags;
  const found = await withFetching(flags, (options) =>
    findTasks(paths, { ...options, include, exclude, skipUnreadable }),
  );
  if (found.tasks.length > 0) return found;
  throw describeUnreadable(found.unreadable.map(({ problem }) => problem));
}

/** What the user should know before a run starts, about the run as a whole. */
export function listNotices(
  { warnings }: RunSettings,
  notices: readonly (string | null)[],
  unset: readonly string[],
): string[] {
  return [
    ...notices.filter((notice) => notice !== null),
    ...unset.map((name) => `--env ${name}: this variable is not set`),
    ...warnings,
  ];
}

/** The same about its tasks, and those that it doesn't have. */
export function listTaskWarnings({ tasks, unreadable }: RunSettings): string[] {
  return [
    ...unreadable.map(({ task, problem }) => `${task} can't be read and is left out: ${problem}`),
    ...tasks.flatMap((task) => task.warnings.map((text) => `${task.name}: ${text}`)),
  ];
}

export function withAgent(trials: RunSettings["trials"], agent: Agent): PlannedTrial[] {
  return trials.map((planned) => ({ ...planned, agent }));
}

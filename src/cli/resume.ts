import { resolve } from "node:path";
import { TermRunError } from "../errors.js";
import { type OriginRecord, type RunRecord, readRun, type StoredRun } from "../events/index.js";
import type { Task, TaskOrigin } from "../interfaces/index.js";
import { describeLimits, planTrials, readDownloadLimits, readLimits } from "../runner/index.js";
import { DEFAULT_IMAGE } from "../sandbox/index.js";
import { readRecordedTasks, selectByName } from "../task/index.js";
import { limitsOf } from "./limits.js";
import { withFetching } from "./registries.js";
import type { RunFlags } from "./run-options.js";
import { findChosen, type RunSettings } from "./run-settings.js";
import { pickShard } from "./shard.js";

/** Whether an option was given on the command line, rather than having its default. */
export type IsGiven = (option: keyof RunFlags) => boolean;

/**
 * The settings of a run that is resumed: they come from its folder. Anything else on
 * the command line must agree with them.
 */
export async function readResumedSettings(
  paths: string[],
  flags: RunFlags & { resume: string },
  isGiven: IsGiven,
): Promise<RunSettings> {
  const resumed = await readRun(resolve(flags.resume));
  const { record } = resumed;
  refuseDifferences(flags.resume, listDifferences(record, flags, isGiven));
  const { tasks, warnings } =
    paths.length > 0
      ? await findChosen(paths, { ...flags, skipUnreadable: record.unreadable !== undefined })
      : await readAgain(resumed, flags);
  refuseChanges(resumed, tasks);
  await refuseOtherTrials(resumed, tasks, paths, flags, isGiven);
  const byName = new Map(tasks.map((task) => [task.name, task]));
  return {
    agent: { spec: record.agent.spec, cwd: record.agent.cwd ?? process.cwd() },
    env: [...(record.env ?? []), ...(flags.env ?? [])],
    leash: record.agent.leash ?? null,
    sandbox: record.sandbox,
    image: record.image ?? DEFAULT_IMAGE,
    hardened: record.hardened === true,
    strict: record.strict === true,
    limits: readLimits(record.limits),
    gradeTimeouts: record.grade_timeouts,
    downloadLimits: flags.artifactLimit ?? readDownloadLimits(record),
    concurrency: isGiven("concurrency") ? flags.concurrency : record.concurrency,
    retries: isGiven("retries") ? flags.retries : record.retries,
    tasks,
    unreadable: record.unreadable ?? [],
    datasets: record.datasets ?? [],
    warnings,
    trials: record.trials.map(({ trial, task, attempt }) => {
      return { trial, attempt, task: byName.get(task) as Task };
    }),
    ...(record.shard ? { shard: record.shard } : {}),
    resumed,
  };
}

interface Difference {
  what: string;
  before: string;
  now: string;
}

function listDifferences(record: RunRecord, flags: RunFlags, isGiven: IsGiven): Difference[] {
  const before = record.limits;
  const now = describeLimits(limitsOf(flags));
  const shard = record.shard ? `${record.shard.number}/${record.shard.of}` : "none";
  const compared: [keyof RunFlags, string, unknown, unknown][] = [
    ["agent", "--agent", record.agent.spec, flags.agent],
    ["image", "--image", record.image ?? DEFAULT_IMAGE, flags.image],
    ["trustAgent", "--trust-agent", record.agent.leash === "trusted", flags.trustAgent === true],
    ["harden", "--harden", record.hardened === true, flags.harden === true],
    ["strict", "--strict", record.strict === true, flags.strict === true],
    ["attempts", "--attempts", attemptsOf(record), flags.attempts],
    ["shard", "--shard", shard, flags.shard],
    ["maxSteps", "--max-steps", before.max_steps, now.max_steps],
    ["maxInvalid", "--max-invalid", before.max_invalid, now.max_invalid],
    ["stepTimeout", "--step-timeout", before.step_timeout_sec, now.step_timeout_sec],
    ["commandTimeout", "--command-timeout", before.command_timeout_sec, now.command_timeout_sec],
    [
      "timeoutMultiplier",
      "--timeout-multiplier",
      before.timeout_multiplier,
      now.timeout_multiplier,
    ],
    ["outputLimit", "--output-limit", before.output_limit_bytes, now.output_limit_bytes],
    ["gradeTimeouts", "--grade-timeouts", record.grade_timeouts, flags.gradeTimeouts === true],
  ];
  if (flags.sandbox !== "auto")
    compared.push(["sandbox", "--sandbox", record.sandbox, flags.sandbox]);
  return compared
    .filter(([option, , one, other]) => isGiven(option) && one !== other)
    .map(([, what, one, other]) => ({ what, before: String(one), now: String(other) }));
}

function refuseDifferences(dir: string, found: Difference[]): void {
  if (found.length === 0) return;
  const lines = found.map(
    ({ what, before, now }) => `  ${what}: ${before} in that run, ${now} now`,
  );
  throw contradiction(`${dir} was run with other settings:\n${lines.join("\n")}`);
}

function attemptsOf({ trials }: RunRecord): number {
  return Math.max(...trials.map(({ attempt }) => attempt));
}

/** The run's tasks, from where its record says that they are. */
async function readAgain(
  { dir, record }: StoredRun,
  flags: RunFlags,
): Promise<{ tasks: Task[]; warnings: string[] }> {
  const entries = selectByName(record.tasks, flags, ({ task }) => task);
  const recorded = entries.map(({ task: name, dir: folder = null, origin }) => {
    if (folder === null)
      throw new TermRunError("usage", `${dir} doesn't say where its tasks are`, {
        hint: "It was made by an earlier version. Give the tasks as well: term-run tasks/ --resume FOLDER",
      });
    return { name, dir: folder, origin: origin ? readOrigin(origin) : null };
  });
  const { tasks, unreadable } = await withFetching(flags, (options) =>
    readRecordedTasks(recorded, options),
  );
  const [first] = unreadable;
  if (!first) return { tasks, warnings: [] };
  throw new TermRunError("usage", `the task ${first.task} can't be read: ${first.problem}`, {
    hint: "If the tasks were moved, give their paths as well: term-run tasks/ --resume FOLDER",
  });
}

function readOrigin(record: OriginRecord): TaskOrigin {
  const { dataset, digest, git_url: url, git_commit_id: id, path } = record;
  const git = url !== null && id !== null && path !== null ? { url, id, path } : null;
  return { dataset, digest, git };
}

function refuseChanges({ dir, record }: StoredRun, tasks: Task[]): void {
  const digests = new Map(record.tasks.map(({ task, task_digest }) => [task, task_digest]));
  for (const { name, digest } of tasks)
    if (digests.has(name) && digests.get(name) !== digest)
      throw contradiction(`the task ${name} has changed since the run ${dir}`);
}

/** Tasks that are given must lead to the same trials: no fewer and no others. */
async function refuseOtherTrials(
  { dir, record }: StoredRun,
  tasks: Task[],
  paths: string[],
  flags: RunFlags,
  isGiven: IsGiven,
): Promise<void> {
  const chosen = paths.length > 0 || isGiven("include") || isGiven("exclude");
  if (!chosen) return;
  const { shard } = record;
  const again = { ...flags, ...(shard ? { shard: `${shard.number}/${shard.of}` } : {}) };
  const all = planTrials(tasks, attemptsOf(record));
  // Without their paths, only the tasks of the shard are known.
  const { trials } = paths.length > 0 ? await pickShard(all, again) : { trials: all };
  const now = new Set(trials.map(({ trial }) => trial));
  const before = new Set(record.trials.map(({ trial }) => trial));
  const missing = [...before].filter((trial) => !now.has(trial));
  const added = [...now].filter((trial) => !before.has(trial));
  if (missing.length === 0 && added.length === 0) return;
  const lines = [
    ...(missing.length > 0 ? [`  missing now: ${listSome(missing)}`] : []),
    ...(added.length > 0 ? [`  not in that run: ${listSome(added)}`] : []),
  ];
  throw contradiction(`these are not the trials of ${dir}:\n${lines.join("\n")}`);
}

function listSome(names: string[]): string {
  const more = names.length > 5 ? `, and ${names.length - 5} more` : "";
  return `${names.slice(0, 5).join(", ")}${more}`;
}

function contradiction(message: string): TermRunError {
  return new TermRunError("usage", message, {
    hint: "Resume the run as it was planned (term-run --resume FOLDER is enough), or start a new one.",
  });
}

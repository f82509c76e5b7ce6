import type { Event, RunRecord } from "../events/index.js";
import { listDigests } from "../score/index.js";
import type { Manifest } from "./manifest.js";
import type { Problem } from "./problem.js";

/** A name that stays within its folder. */
export function isSafeName(name: unknown): name is string {
  return typeof name === "string" && /^[^/\\\0]+$/.test(name) && name !== "." && name !== "..";
}

/** Whether run.json is consistent with itself, the manifest and the run's log. */
export function checkRecord(
  record: RunRecord,
  manifest: Manifest,
  log: readonly Event[],
): Problem[] {
  return [
    ...checkShard(record),
    ...checkAttempts(record),
    ...checkTasks(record, manifest),
    ...checkLog(record, log),
    ...checkAgent(record, manifest),
  ];
}

function checkShard({ shard }: RunRecord): Problem[] {
  if (!shard) return [];
  return [missing("run.json", `it is only shard ${shard.number} of ${shard.of}`)];
}

/** Every task has the attempts 1 to n, once each. */
function checkAttempts({ trials }: RunRecord): Problem[] {
  const attempts = trials.reduce((most, { attempt }) => Math.max(most, attempt), 0);
  const problems: Problem[] = [];
  const seen = new Set<string>();
  for (const { trial, task, attempt } of trials) {
    if (seen.has(trial)) problems.push(wrong(trial, "it is in run.json twice"));
    seen.add(trial);
    if (trial !== nameTrial(task, attempt))
      problems.push(wrong(trial, `it is not attempt ${attempt} of the task ${task}`));
  }
  for (const task of new Set(trials.map((trial) => trial.task)))
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const trial = nameTrial(task, attempt);
      if (!seen.has(trial))
        problems.push({ code: "missing", where: trial, message: "the trial is not in run.json" });
    }
  return problems;
}

function checkTasks(record: RunRecord, manifest: Manifest): Problem[] {
  const digests = listDigests(record);
  const stated = [
    ...record.trials.map(({ task, task_digest }) => ({ task, task_digest, by: "run.json" })),
    ...(record.tasks ?? []).map((task) => ({ ...task, by: "run.json" })),
    ...manifest.tasks.map((task) => ({ ...task, by: "the manifest" })),
  ];
  return stated
    .filter(({ task, task_digest }) => digests.get(task) !== task_digest)
    .map(({ task, task_digest, by }) => ({
      code: "tasks",
      where: task,
      message: `${by} has another version of the task: ${task_digest}, not ${digests.get(task)}`,
    }));
}

/** The log lists the trials when a run starts, and again when it is resumed. */
function checkLog(record: RunRecord, log: readonly Event[]): Problem[] {
  const starts = log.filter((event) => event.type === "run_started");
  const where = "events.jsonl";
  if (starts.length === 0)
    return [{ code: "missing", where, message: "the log does not have the start of the run" }];
  const logged = new Set(starts.flatMap((event) => event.trials));
  const planned = new Set(record.trials.map(({ trial }) => trial));
  return [
    ...[...logged]
      .filter((trial) => !planned.has(trial))
      .map((trial) => missing(trial, "the trial is in the run's log, but not in run.json")),
    ...[...planned]
      .filter((trial) => !logged.has(trial))
      .map((trial) => wrong(trial, "the trial is in run.json, but not in the run's log")),
  ];
}

function checkAgent(record: RunRecord, { agent, run }: Manifest): Problem[] {
  const same =
    agent.name === record.agent.name && agent.spec === record.agent.spec && run === record.run;
  return same ? [] : [wrong("manifest.json", "its run or agent is not the one in run.json")];
}

function nameTrial(task: string, attempt: number): string {
  return `${task.replaceAll("/", "__")}.${attempt}`;
}

function missing(where: string, message: string): Problem {
  return { code: "missing", where, message };
}

function wrong(where: string, message: string): Problem {
  return { code: "score", where, message };
}

import { existsSync } from "node:fs";
import { join } from "node:path";
import { messageOf, TermRunError } from "../errors.js";
import {
  type Event,
  FORMAT_VERSION,
  type RunRecord,
  type RunSummary,
  readEvents,
  readJson,
  readRun,
  trialFolder,
} from "../events/index.js";
import type { Task } from "../interfaces/index.js";
import { checkFiles } from "./check-files.js";
import { checkLimits, checkLimitsHeld, type ExpectedRules } from "./check-limits.js";
import { checkRecord, isSafeName } from "./check-record.js";
import { checkSummary } from "./check-summary.js";
import { checkTaskSet } from "./check-tasks.js";
import { checkTrial, rescore, type TrialEvidence } from "./check-trial.js";
import { MANIFEST, type Manifest } from "./manifest.js";
import type { Problem } from "./problem.js";
import { readTrace, type Trace } from "./trace.js";

export interface VerifyOptions {
  /** null: whatever the run was made with. */
  rules: ExpectedRules | null;
  /** null: the tasks are not available. */
  tasks: Task[] | null;
}

export interface Verification {
  ok: boolean;
  problems: Problem[];
  summary: RunSummary | null;
}

/** Checks a submission using only its own files, and the tasks if they are available. */
export async function verifySubmission(dir: string, options: VerifyOptions): Promise<Verification> {
  const manifest = await readJson<Manifest>(join(dir, MANIFEST));
  if (!manifest)
    throw new TermRunError(
      "usage",
      `${dir} is not a submission: its ${MANIFEST} is missing or broken`,
      {
        hint: "Name the folder that term-run submit wrote.",
      },
    );
  const problems: Problem[] = [];
  let summary: RunSummary | null = null;
  try {
    problems.push(...checkVersion(manifest), ...(await checkFiles(dir, manifest)));
    const record = await readRecord(dir);
    const log = await readAll(join(dir, "events.jsonl"));
    problems.push(...checkRecord(record, manifest, log));
    if (options.rules) problems.push(...checkLimits(record, options.rules));
    if (options.tasks) problems.push(...checkTaskSet(record, options.tasks));
    summary = await checkScores(dir, record, log, options.tasks ?? [], problems);
  } catch (error) {
    // The files come from a stranger: what is wrong in them isn't a bug in term-run.
    problems.push({ code: "unreadable", where: dir, message: messageOf(error) });
  }
  return { ok: problems.length === 0, problems, summary };
}

function checkVersion({ format_version }: Manifest): Problem[] {
  if (format_version === FORMAT_VERSION) return [];
  const message = `format_version is ${format_version}, but only ${FORMAT_VERSION} is supported`;
  return [{ code: "unreadable", where: MANIFEST, message }];
}

async function readRecord(dir: string): Promise<RunRecord> {
  const record = await readJson<RunRecord>(join(dir, "run.json"));
  if (!Array.isArray(record?.trials)) throw new Error("run.json is missing or broken");
  // Checked before any path is built from these names.
  for (const { trial } of record.trials)
    if (!isSafeName(trial))
      throw new Error(`run.json: ${JSON.stringify(trial)} is not a valid trial name`);
  return record;
}

async function checkScores(
  dir: string,
  record: RunRecord,
  log: readonly Event[],
  tasks: readonly Task[],
  problems: Problem[],
): Promise<RunSummary | null> {
  const { results, summary } = await readRun(dir);
  const byTrial = new Map(results.map((result) => [result.trial, result]));
  const timeouts = new Map(tasks.map((task) => [task.name, task.agentTimeoutSec]));
  const rescored: TrialEvidence["result"][] = [];
  for (const planned of record.trials) {
    const where = planned.trial;
    const result = byTrial.get(where);
    const trace = await readTraceOf(trialFolder(dir, where));
    if (!result || !trace) {
      problems.push({ code: "missing", where, message: "the trial's result or log is missing" });
      continue;
    }
    const evidence = { planned, result, trace, earlier: await readEarlier(dir, where) };
    problems.push(...checkTrial(evidence, record));
    const timeout = timeouts.get(planned.task) ?? null;
    for (const message of checkLimitsHeld(trace, record.limits, timeout))
      problems.push({ code: "limits", where, message });
    rescored.push(rescore(evidence, record));
  }
  if (summary) problems.push(...checkSummary(record, summary, rescored, log));
  else problems.push({ code: "missing", where: "summary.json", message: "the run did not finish" });
  return summary;
}

async function readEarlier(dir: string, trial: string): Promise<Trace[]> {
  const traces: Trace[] = [];
  for (let number = 1; ; number += 1) {
    const trace = await readTraceOf(trialFolder(dir, `${trial}.try${number}`));
    if (!trace) return traces;
    traces.push(trace);
  }
}

async function readTraceOf(folder: string): Promise<Trace | null> {
  const file = join(folder, "events.jsonl");
  return existsSync(file) ? readTrace(readEvents(file)) : null;
}

async function readAll(file: string): Promise<Event[]> {
  const events: Event[] = [];
  if (!existsSync(file)) return events;
  // Build progress can be long, and no check here needs it.
  for await (const event of readEvents(file))
    if (event.type === "run_started" || event.type === "run_finished") events.push(event);
  return events;
}

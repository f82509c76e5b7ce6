import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import PQueue from "p-queue";
import { messageOf, TermRunError } from "../errors.js";
import { writeJson } from "../events/files.js";
import { EventLog } from "../events/log.js";
import {
  type ErrorRecord,
  FORMAT_VERSION,
  type RunRecord,
  type RunSummary,
  type TrialResult,
} from "../events/records.js";
import { redactFolder } from "../events/redact.js";
import type { Event } from "../events/types.js";
import type { Agent, Limits, SandboxProvider } from "../interfaces/index.js";
import { summarize } from "../score/summary.js";
import { sumTries } from "../score/usage.js";
import type { PlannedTrial } from "./plan.js";
import { describeRun } from "./record.js";
import { readEarlierResults } from "./resume.js";
import { runTrial } from "./trial.js";

export interface JobOptions {
  run: string;
  out: string;
  version: string;
  agent: Agent;
  agentSpec: string;
  provider: SandboxProvider;
  trials: PlannedTrial[];
  /** When these trials are one part of a run. */
  shard?: RunRecord["shard"];
  limits: Limits;
  gradeTimeouts: boolean;
  concurrency: number;
  /** How often a trial is tried again after an infrastructure error. */
  retries: number;
  keep: boolean;
  /** What the person should know before the run begins. */
  warnings: string[];
  listen: (event: Event) => void;
  redact: (text: string) => string;
  signal: AbortSignal;
}

/** Runs a set of trials and writes what it learns as it learns it. */
export async function runJob(options: JobOptions): Promise<RunSummary> {
  const { out, trials, listen, redact, signal } = options;
  const startedAt = new Date().toISOString();
  await mkdir(join(out, "trials"), { recursive: true });
  const log = new EventLog({ path: join(out, "events.jsonl"), listen, redact });
  const record = describeRun(options, startedAt);
  const earlier = await readEarlierResults(out, record, trials);
  await writeJson(join(out, "run.json"), record);
  log.emitRun({
    type: "run_started",
    format_version: FORMAT_VERSION,
    run: options.run,
    out,
    agent: options.agent.name,
    sandbox: options.provider.kind,
    concurrency: options.concurrency,
    trials: trials.map((planned) => planned.trial),
  });
  for (const text of options.warnings) log.emitRun({ type: "warning", text });
  const results = new Map(earlier.map((result) => [result.trial, result]));
  for (const result of earlier)
    listen({ type: "trial_finished", time: startedAt, trial: result.trial, result });
  const left = trials.filter((planned) => !results.has(planned.trial));
  await prepareImages(options, left, log);
  const queue = new PQueue({ concurrency: options.concurrency });
  await queue.addAll(
    left.map((planned) => async () => {
      if (signal.aborted) return;
      results.set(planned.trial, await runWithRetries(options, planned));
    }),
  );
  const summary = summarize({
    run: options.run,
    agent: options.agent.name,
    startedAt,
    finishedAt: new Date().toISOString(),
    interrupted: signal.aborted,
    planned: trials.length,
    results: [...results.values()],
    tasks: record.tasks,
  });
  await writeJson(join(out, "summary.json"), summary);
  log.emitRun({ type: "run_finished", summary });
  await log.close();
  return summary;
}

async function prepareImages(
  { provider, signal }: JobOptions,
  trials: PlannedTrial[],
  log: EventLog,
): Promise<void> {
  const tasks = [...new Set(trials.map((planned) => planned.task))];
  const runnable = tasks.filter((task) => !task.unsupported && !provider.unsupported(task));
  await provider.prepare(runnable, {
    signal,
    onStart: (image, names) => log.emitRun({ type: "image_started", image, tasks: names }),
    onProgress: (image, line) => log.emitRun({ type: "image_progress", image, line }),
    onFinish: (image, { ok, cached, durationMs, error }) =>
      log.emitRun({
        type: "image_finished",
        image,
        ok,
        cached,
        duration_sec: Math.round(durationMs) / 1000,
        error: error ? errorRecord(error) : null,
      }),
  });
}

async function runWithRetries(options: JobOptions, planned: PlannedTrial): Promise<TrialResult> {
  const dir = join(options.out, "trials", planned.trial);
  const spent: TrialResult["usage"][] = [];
  for (let attempt = 1; ; attempt++) {
    await setAside(dir);
    await mkdir(dir, { recursive: true });
    const { listen, redact } = options;
    const log = new EventLog({ path: join(dir, "events.jsonl"), listen, redact });
    const emit = log.emitFor(planned.trial);
    const own = await runTrial({ ...options, ...planned, try: attempt, dir, emit });
    await redactFolder(join(dir, "verifier"), redact);
    // What the tries before it used was paid for as well.
    spent.push(own.usage);
    const result = { ...own, usage: sumTries(spent) };
    const again =
      result.outcome === "infra_error" && attempt <= options.retries && !options.signal.aborted;
    if (again) emit({ type: "trial_retried", reason: result.error?.message ?? "unknown" });
    else emit({ type: "trial_finished", result });
    await log.close();
    const text = options.redact(JSON.stringify(result));
    await writeJson(join(dir, "result.json"), JSON.parse(text));
    if (!again) return result;
  }
}

/** The evidence of an earlier try is kept beside the new one. */
async function setAside(dir: string): Promise<void> {
  if (!existsSync(dir)) return;
  let number = 1;
  while (existsSync(`${dir}.try${number}`)) number++;
  await rename(dir, `${dir}.try${number}`);
  await rm(join(`${dir}.try${number}`, "result.json.tmp"), { force: true });
}

function errorRecord(error: unknown): ErrorRecord {
  if (error instanceof TermRunError)
    return { code: error.code, message: error.message, hint: error.hint };
  return { code: "infra", message: messageOf(error), hint: null };
}

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Outcome } from "../../src/events/outcomes.js";
import type { RunRecord, TrialResult } from "../../src/events/records.js";
import type { LimitsRecord } from "../../src/events/rule-records.js";
import { summarize } from "../../src/score/summary.js";
import { digestOf, makeTrial, nameTrial, type StoredTrial } from "./stored-trial.js";

export type { StoredStep } from "./stored-steps.js";
export type { StoredTrial } from "./stored-trial.js";

const START = "2030-01-01T00:00:00.000Z";
const LIMITS: LimitsRecord = {
  max_steps: 100,
  max_invalid: 3,
  max_idle: 3,
  step_timeout_sec: 300,
  command_timeout_sec: 180,
  timeout_multiplier: 1,
  output_limit_bytes: 102_400,
};

export interface StoredTask {
  task: string;
  digest?: string;
  metadata?: Record<string, unknown>;
  /** One for each attempt. */
  outcomes: Outcome[];
}

interface StoredRunOptions {
  run?: string;
  agent?: string;
  startedAt?: string;
  interrupted?: boolean;
  /** No summary.json: the runner was killed. */
  killed?: boolean;
  record?: Partial<RunRecord>;
}

/** A run of which only the outcomes matter. */
export interface StoredRunParts {
  run?: string;
  agent?: string;
  spec?: string;
  startedAt?: string;
  version?: string;
  limits?: Partial<LimitsRecord>;
  gradeTimeouts?: boolean;
  tasks: StoredTask[];
  /** Of every trial. */
  costUsd?: number;
  seconds?: number;
}

/** A folder that is removed after the test. */
export function makeFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), "report-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** `count` tasks with one attempt each, of which the first ones fail. */
export function makeTasks(count: number, failed = 0): StoredTask[] {
  return Array.from({ length: count }, (_, index) => ({
    task: `task-${String(index + 1).padStart(2, "0")}`,
    outcomes: [index < failed ? "failed" : "passed"],
  }));
}

/** The same content as a run writes, without its folder. */
export function makeRun(parts: StoredRunParts): { record: RunRecord; results: TrialResult[] } {
  const { trials, options } = expand(parts);
  const record = makeRecord(trials, options);
  const context = { agent: record.agent.name, startedAt: record.started_at };
  return { record, results: trials.map((trial) => makeTrial(trial, context).result) };
}

/** Writes a finished run with its logs, and returns its folder. */
export function writeStoredRun(dir: string, parts: StoredRunParts): string {
  const { trials, options } = expand(parts);
  return writeRun(dir, trials, options);
}

/** Writes the folder of a run that never took place, one trial at a time, and returns it. */
export function writeRun(
  dir: string,
  trials: Iterable<StoredTrial>,
  options: StoredRunOptions = {},
): string {
  const planned: StoredTrial[] = [];
  const results: TrialResult[] = [];
  const context = { agent: options.agent ?? "my-agent", startedAt: options.startedAt ?? START };
  for (const trial of trials) {
    const folder = join(dir, "trials", nameTrial(trial));
    mkdirSync(folder, { recursive: true });
    // Without the steps: those of a big run would not fit in memory.
    planned.push({ ...trial, steps: [], parts: [] });
    const { events, result } = makeTrial(trial, context);
    writeLines(join(folder, "events.jsonl"), events);
    if (trial.unfinished) continue;
    writeJson(join(folder, "result.json"), result);
    results.push(result);
  }
  mkdirSync(dir, { recursive: true });
  const record = makeRecord(planned, options);
  writeJson(join(dir, "run.json"), record);
  writeEnd(dir, record, results, options);
  return dir;
}

function writeEnd(
  dir: string,
  record: RunRecord,
  results: TrialResult[],
  { interrupted = false, killed = false }: StoredRunOptions,
): void {
  const { run, agent, sandbox, concurrency, started_at: time, tasks } = record;
  const finishedAt = new Date(Date.parse(time) + 3_600_000).toISOString();
  const summary = summarize({
    run,
    agent: agent.name,
    startedAt: time,
    finishedAt,
    interrupted,
    planned: record.trials.length,
    results,
    tasks,
  });
  const trials = record.trials.map(({ trial }) => trial);
  const started = { format_version: 1, run, out: dir, agent: agent.name, sandbox, concurrency };
  writeLines(join(dir, "events.jsonl"), [
    { position: 1, time, type: "run_started", ...started, trials },
    ...(killed ? [] : [{ position: 1e6, time: finishedAt, type: "run_finished", summary }]),
  ]);
  if (!killed) writeJson(join(dir, "summary.json"), summary);
}

function makeRecord(trials: readonly StoredTrial[], options: StoredRunOptions): RunRecord {
  const agent = options.agent ?? "my-agent";
  const planned = trials.map((trial) => ({
    trial: nameTrial(trial),
    task: trial.task,
    task_digest: digestOf(trial),
    attempt: trial.attempt ?? 1,
  }));
  const digests = new Map(planned.map(({ task, task_digest }) => [task, task_digest]));
  return {
    format_version: 1,
    run: options.run ?? "demo",
    started_at: options.startedAt ?? START,
    term_run: "0.1.0",
    agent: { name: agent, spec: `./${agent}` },
    sandbox: "docker",
    limits: LIMITS,
    grade_timeouts: false,
    concurrency: 1,
    retries: 1,
    trials: planned,
    tasks: [...digests].map(([task, task_digest]) => ({ task, task_digest, metadata: {} })),
    host: { platform: "linux", release: "6", arch: "x64", cpus: 2, memory_mb: 4096, node: "v20" },
    ...options.record,
  };
}

/** All first attempts come before all second ones, as a runner plans them. */
function expand(parts: StoredRunParts): { trials: StoredTrial[]; options: StoredRunOptions } {
  const { run = "run", agent = "my-agent", costUsd, seconds = 10, tasks } = parts;
  const attempts = Math.max(...tasks.map(({ outcomes }) => outcomes.length));
  const cost =
    costUsd === undefined ? {} : { cost_usd: costUsd, tokens: { input: 1000, output: 100 } };
  const trials = Array.from({ length: attempts }, (_, index) =>
    tasks
      .filter(({ outcomes }) => index < outcomes.length)
      .map(({ task, digest, outcomes }) => ({
        task,
        ...(digest === undefined ? {} : { digest }),
        attempt: index + 1,
        outcome: outcomes[index] as Outcome,
        seconds,
        steps: [{ command: "true", complete: true, ...cost }],
      })),
  ).flat();
  const record: Partial<RunRecord> = {
    term_run: parts.version ?? "0.1.0",
    agent: { name: agent, spec: parts.spec ?? `./${agent}` },
    limits: { ...LIMITS, ...parts.limits },
    grade_timeouts: parts.gradeTimeouts ?? false,
    tasks: tasks.map(({ task, digest, metadata }) => ({
      task,
      task_digest: digestOf({ task, ...(digest === undefined ? {} : { digest }) }),
      metadata: metadata ?? {},
    })),
  };
  return { trials, options: { run, agent, startedAt: parts.startedAt ?? START, record } };
}

function writeLines(path: string, values: readonly object[]): void {
  writeFileSync(path, values.map((value) => `${JSON.stringify(value)}\n`).join(""));
}

function writeJson(path: string, value: unknown): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}

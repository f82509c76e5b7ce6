import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Outcome } from "../../src/events/outcomes.js";
import type { RunRecord, TrialResult } from "../../src/events/records.js";
import type { Event, EventBody, TrialEvent } from "../../src/events/types.js";
import { summarize } from "../../src/score/summary.js";

const START = Date.parse("2030-01-01T00:00:00.000Z");

export interface StoredStep {
  text?: string | null;
  command?: string | null;
  output?: string;
  exit_code?: number;
  cost_usd?: number;
  complete?: boolean;
  stderr?: string[];
  invalid?: string;
}

export interface StoredTrial {
  task: string;
  attempt?: number;
  outcome?: Outcome;
  steps?: StoredStep[];
  /** What the verifier printed. */
  verifier?: string;
  error?: TrialResult["error"];
  seconds?: number;
  digest?: string;
  /** No result.json: it was cut short. */
  unfinished?: boolean;
}

interface StoredRunOptions {
  run?: string;
  agent?: string;
  interrupted?: boolean;
  /** No summary.json: the runner was killed. */
  killed?: boolean;
  instruction?: string;
  record?: Partial<RunRecord>;
}

/** A folder that is gone after the test. */
export function makeFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), "report-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** Writes the folder of a run that took place on paper only. */
export function writeRun(
  dir: string,
  trials: Iterable<StoredTrial>,
  options: StoredRunOptions = {},
): string {
  const run = options.run ?? "demo";
  const agent = options.agent ?? "my-agent";
  const planned: RunRecord["trials"] = [];
  const results: TrialResult[] = [];
  for (const trial of trials) {
    const name = nameOf(trial);
    const folder = join(dir, "trials", name);
    mkdirSync(folder, { recursive: true });
    planned.push({
      trial: name,
      task: trial.task,
      task_digest: digestOf(trial),
      attempt: trial.attempt ?? 1,
    });
    const { events, result } = tellTrial(trial, agent, options.instruction ?? "Do it.");
    writeLines(join(folder, "events.jsonl"), events);
    if (trial.unfinished) continue;
    writeJson(join(folder, "result.json"), result);
    results.push(result);
  }
  const digests = new Map(planned.map(({ task, task_digest }) => [task, task_digest]));
  const started_at = new Date(START).toISOString();
  const record: RunRecord = {
    format_version: 1,
    run,
    started_at,
    term_run: "0.1.0",
    agent: { name: agent, spec: `./${agent}` },
    sandbox: "docker",
    limits: {
      max_steps: 100,
      max_invalid: 3,
      max_idle: 3,
      step_timeout_sec: 300,
      command_timeout_sec: 180,
      timeout_multiplier: 1,
      output_limit_bytes: 100_000,
    },
    grade_timeouts: false,
    concurrency: 4,
    retries: 1,
    trials: planned,
    tasks: [...digests].map(([task, task_digest]) => ({ task, task_digest, metadata: {} })),
    host: {
      platform: "linux",
      release: "6",
      arch: "x64",
      cpus: 4,
      memory_mb: 8000,
      node: "v20.19.0",
    },
    ...options.record,
  };
  writeJson(join(dir, "run.json"), record);
  const summary = summarize({
    run,
    agent,
    startedAt: started_at,
    finishedAt: new Date(START + 3_600_000).toISOString(),
    interrupted: options.interrupted ?? false,
    planned: planned.length,
    results,
  });
  const time = started_at;
  writeLines(join(dir, "events.jsonl"), [
    {
      type: "run_started",
      time,
      format_version: 1,
      run,
      out: dir,
      agent,
      sandbox: "docker",
      concurrency: 4,
      trials: planned.map(({ trial }) => trial),
    },
    ...(options.killed ? [] : [{ type: "run_finished" as const, time, summary }]),
  ]);
  if (!options.killed) writeJson(join(dir, "summary.json"), summary);
  return dir;
}

function nameOf({ task, attempt = 1 }: StoredTrial): string {
  return `${task.replaceAll("/", "__")}.${attempt}`;
}

function digestOf({ task, digest }: StoredTrial): string {
  return digest ?? `digest-of-${task}`;
}

function tellTrial(
  trial: StoredTrial,
  agent: string,
  instruction: string,
): { events: Event[]; result: TrialResult } {
  const name = nameOf(trial);
  const outcome = trial.outcome ?? "passed";
  const steps = trial.steps ?? [{ command: "echo hi", output: "hi" }];
  const events: Event[] = [];
  let now = START;
  const emit = (body: EventBody<TrialEvent>, after = 100) => {
    now += after;
    events.push({ time: new Date(now).toISOString(), trial: name, ...body } as Event);
  };
  emit({
    type: "trial_started",
    format_version: 1,
    task: trial.task,
    attempt: trial.attempt ?? 1,
    try: 1,
    agent,
    instruction,
  });
  emit({
    type: "sandbox_started",
    kind: "docker",
    id: "c1",
    image: "debian:12",
    duration_sec: 0.2,
  });
  emit({ type: "agent_started", command: [agent], pid: 7, withheld_env: [] });
  for (const [place, step] of steps.entries()) tellStep(step, place + 1, emit);
  const reward = outcome === "passed" ? 1 : outcome === "failed" ? 0 : null;
  if (outcome !== "skipped") {
    emit({
      type: "agent_finished",
      end: "completed",
      exit_code: 0,
      signal: null,
      steps: steps.length,
      duration_sec: 1,
    });
    emit({ type: "verifier_started" });
    emit({
      type: "verifier_finished",
      reward,
      rewards: reward === null ? null : { reward },
      exit_code: reward === 1 ? 0 : 1,
      output: trial.verifier ?? "",
      error: null,
      duration_sec: 0.3,
    });
  }
  const costs = steps.flatMap(({ cost_usd }) => (cost_usd === undefined ? [] : [cost_usd]));
  const total = trial.seconds ?? (now - START) / 1000;
  const result: TrialResult = {
    format_version: 1,
    trial: name,
    task: trial.task,
    task_digest: digestOf(trial),
    attempt: trial.attempt ?? 1,
    tries: 1,
    agent,
    sandbox: "docker",
    outcome,
    reward,
    rewards: reward === null ? null : { reward },
    error: trial.error ?? null,
    steps: steps.length,
    usage:
      costs.length === 0
        ? null
        : {
            models: ["some-model"],
            input_tokens: 100 * costs.length,
            output_tokens: 10 * costs.length,
            cost_usd: costs.reduce((sum, cost) => sum + cost, 0),
          },
    started_at: new Date(START).toISOString(),
    finished_at: new Date(START + total * 1000).toISOString(),
    durations: { total_sec: total, sandbox_sec: 0.2, agent_sec: 1, verifier_sec: 0.3 },
  };
  if (!trial.unfinished) emit({ type: "trial_finished", result });
  return { events, result };
}

function tellStep(
  step: StoredStep,
  number: number,
  emit: (body: EventBody<TrialEvent>, after?: number) => void,
): void {
  emit({ type: "step_started", step: number, cwd: "/app", error: null });
  for (const text of step.stderr ?? []) emit({ type: "agent_stderr", text }, 1);
  if (step.invalid !== undefined) {
    emit({
      type: "response_invalid",
      step: number,
      problem: step.invalid,
      raw: "{",
      in_a_row: 1,
    });
    emit({ type: "step_started", step: number, cwd: "/app", error: step.invalid });
  }
  const usage = {
    model: "some-model",
    input_tokens: 100,
    output_tokens: 10,
    cost_usd: step.cost_usd ?? null,
  };
  emit(
    {
      type: "response",
      step: number,
      command: step.command ?? null,
      task_complete: step.complete ?? false,
      text: step.text ?? null,
      data: step.cost_usd === undefined ? null : { usage },
      extra: {},
      duration_sec: 0.5,
    },
    500,
  );
  if (step.command == null) return;
  emit({ type: "command_started", step: number, command: step.command }, 1);
  const output = step.output ?? "";
  emit(
    {
      type: "command_finished",
      step: number,
      exit_code: step.exit_code ?? 0,
      output,
      output_bytes: Buffer.byteLength(output),
      cut_bytes: 0,
      timed_out: false,
      shell_restarted: false,
      cwd: "/app",
      duration_sec: 0.25,
    },
    250,
  );
}

function writeLines(path: string, events: readonly Event[]): void {
  writeFileSync(path, events.map((event) => `${JSON.stringify(event)}\n`).join(""));
}

function writeJson(path: string, value: unknown): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}

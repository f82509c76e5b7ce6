import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Outcome } from "../../src/events/outcomes.js";
import type {
  AgentEnd,
  LimitsRecord,
  RunRecord,
  TrialResult,
  UsageTotals,
} from "../../src/events/records.js";
import type { Event, EventBody, TrialEvent } from "../../src/events/types.js";
import { summarize } from "../../src/score/summary.js";

export interface StoredTask {
  task: string;
  digest?: string;
  metadata?: Record<string, unknown>;
  /** One for each attempt. */
  outcomes: Outcome[];
}

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

const LIMITS: LimitsRecord = {
  max_steps: 100,
  max_invalid: 3,
  max_idle: 3,
  step_timeout_sec: 300,
  command_timeout_sec: 180,
  timeout_multiplier: 1,
  output_limit_bytes: 102_400,
};

/** `count` tasks with one attempt each, of which the first ones fail. */
export function makeTasks(count: number, failed = 0): StoredTask[] {
  return Array.from({ length: count }, (_, index) => ({
    task: `task-${String(index + 1).padStart(2, "0")}`,
    outcomes: [index < failed ? "failed" : "passed"],
  }));
}

/** The same content as a run writes, without the run. */
export function makeRun(parts: StoredRunParts): { record: RunRecord; results: TrialResult[] } {
  const agent = parts.agent ?? "my-agent";
  const tasks = parts.tasks.map((task) => ({ digest: `digest-of-${task.task}`, ...task }));
  const attempts = Math.max(...tasks.map((task) => task.outcomes.length));
  const planned = Array.from({ length: attempts }, (_, index) =>
    tasks
      .filter((task) => index < task.outcomes.length)
      .map(({ task, digest, outcomes }) => ({
        trial: `${task}.${index + 1}`,
        task,
        task_digest: digest,
        attempt: index + 1,
        outcome: outcomes[index] as Outcome,
      })),
  ).flat();
  return {
    record: {
      format_version: 1,
      run: parts.run ?? "run",
      started_at: parts.startedAt ?? "2030-01-01T00:00:00.000Z",
      term_run: parts.version ?? "0.1.0",
      agent: { name: agent, spec: parts.spec ?? `./${agent}` },
      sandbox: "docker",
      limits: { ...LIMITS, ...parts.limits },
      grade_timeouts: parts.gradeTimeouts ?? false,
      concurrency: 1,
      retries: 1,
      trials: planned.map(({ outcome: _, ...trial }) => trial),
      tasks: tasks.map(({ task, digest, metadata }) => ({
        task,
        task_digest: digest,
        metadata: metadata ?? {},
      })),
      host: { platform: "linux", release: "6", arch: "x64", cpus: 2, memory_mb: 4096, node: "v20" },
    },
    results: planned.map((trial) => makeResult(trial, agent, parts)),
  };
}

/** Writes a finished run with its logs, and returns its folder. */
export function writeStoredRun(dir: string, parts: StoredRunParts): string {
  const { record, results } = makeRun(parts);
  const summary = summarize({
    run: record.run,
    agent: record.agent.name,
    startedAt: record.started_at,
    finishedAt: new Date(Date.parse(record.started_at) + 60_000).toISOString(),
    interrupted: false,
    planned: record.trials.length,
    results,
    tasks: record.tasks,
  });
  mkdirSync(join(dir, "trials"), { recursive: true });
  writeJson(join(dir, "run.json"), record);
  writeJson(join(dir, "summary.json"), summary);
  const time = record.started_at;
  writeLines(join(dir, "events.jsonl"), [
    {
      time,
      type: "run_started",
      format_version: 1,
      run: record.run,
      out: dir,
      agent: record.agent.name,
      sandbox: record.sandbox,
      concurrency: 1,
      trials: record.trials.map(({ trial }) => trial),
    },
    { time, type: "run_finished", summary },
  ]);
  for (const result of results) {
    const folder = join(dir, "trials", result.trial);
    mkdirSync(folder, { recursive: true });
    writeJson(join(folder, "result.json"), result);
    writeLines(join(folder, "events.jsonl"), eventsOf(result));
  }
  return dir;
}

function makeResult(
  planned: { trial: string; task: string; task_digest: string; attempt: number; outcome: Outcome },
  agent: string,
  { costUsd, seconds = 10, startedAt = "2030-01-01T00:00:00.000Z" }: StoredRunParts,
): TrialResult {
  const { outcome, ...trial } = planned;
  const reward = outcome === "passed" ? 1 : outcome === "failed" ? 0 : null;
  const usage: UsageTotals | null =
    costUsd === undefined
      ? null
      : { models: ["model-x"], input_tokens: 1000, output_tokens: 100, cost_usd: costUsd };
  const problem = { code: outcome, message: `it was ${outcome}`, hint: null };
  return {
    format_version: 1,
    ...trial,
    tries: 1,
    agent,
    sandbox: "docker",
    outcome,
    reward,
    rewards: reward === null ? null : { reward },
    error: reward === null ? problem : null,
    steps: 1,
    usage,
    started_at: startedAt,
    finished_at: new Date(Date.parse(startedAt) + seconds * 1000).toISOString(),
    durations: { total_sec: seconds, sandbox_sec: 1, agent_sec: seconds - 2, verifier_sec: 1 },
  };
}

/** The log of a trial with one step, as the runner writes it. */
function eventsOf(result: TrialResult): Event[] {
  const { trial, started_at: time, usage } = result;
  const ended = ["passed", "failed", "verifier_error"].includes(result.outcome);
  const bodies: EventBody<TrialEvent>[] = [
    {
      type: "trial_started",
      format_version: 1,
      task: result.task,
      attempt: result.attempt,
      try: 1,
      agent: result.agent,
    },
    { type: "sandbox_started", kind: "docker", id: "c", image: "i", duration_sec: 1 },
    { type: "step_started", step: 1, cwd: "/app", error: null },
    {
      type: "response",
      step: 1,
      command: "true",
      task_complete: true,
      text: null,
      data: usage && {
        usage: {
          model: "model-x",
          input_tokens: usage.input_tokens,
          output_tokens: usage.output_tokens,
          ...(usage.cost_usd === null ? {} : { cost_usd: usage.cost_usd }),
        },
      },
      extra: {},
      duration_sec: 0.5,
    },
    { type: "command_started", step: 1, command: "true" },
    {
      type: "command_finished",
      step: 1,
      exit_code: 0,
      output: "",
      output_bytes: 0,
      cut_bytes: 0,
      timed_out: false,
      shell_restarted: false,
      cwd: "/app",
      duration_sec: 0.1,
    },
    {
      type: "agent_finished",
      end: ended ? "completed" : (result.outcome as AgentEnd),
      exit_code: 0,
      signal: null,
      steps: 1,
      duration_sec: result.durations.agent_sec,
    },
  ];
  if (result.outcome !== "infra_error" && result.outcome !== "cancelled")
    bodies.push(
      { type: "verifier_started" },
      {
        type: "verifier_finished",
        reward: result.reward,
        rewards: result.rewards,
        exit_code: result.reward === 1 ? 0 : 1,
        output: "",
        error: result.reward === null ? (result.error?.message ?? null) : null,
        duration_sec: 1,
      },
    );
  bodies.push({ type: "trial_finished", result });
  return bodies.map((body) => ({ time, trial, ...body }) as Event);
}

function writeJson(path: string, value: unknown): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}

function writeLines(path: string, values: unknown[]): void {
  writeFileSync(path, values.map((value) => `${JSON.stringify(value)}\n`).join(""));
}

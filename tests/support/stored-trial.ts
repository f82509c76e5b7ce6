import { isScored, type Outcome } from "../../src/events/outcomes.js";
import type { AgentEnd, TrialResult, UsageTotals } from "../../src/events/records.js";
import type { Event, EventBody, TrialEvent } from "../../src/events/types.js";
import { emitSteps, type StoredStep, usageOf } from "./stored-steps.js";

export interface StoredTrial {
  task: string;
  attempt?: number;
  outcome?: Outcome;
  steps?: StoredStep[];
  /** What the verifier printed. */
  verifier?: string;
  /** Instead of steps and verifier, for a task with several parts. */
  parts?: StoredPart[];
  instruction?: string;
  error?: TrialResult["error"];
  seconds?: number;
  digest?: string;
  /** No result.json: the runner was killed. */
  unfinished?: boolean;
}

interface StoredPart {
  name: string;
  instruction?: string;
  steps?: StoredStep[];
  verifier?: string;
  reward?: number;
}

export type Emit = (body: EventBody<TrialEvent>, afterMs?: number) => void;

const VERIFIER_SEC = 1;
const SANDBOX_SEC = 1;

export function nameTrial({ task, attempt = 1 }: StoredTrial): string {
  return `${task.replaceAll("/", "__")}.${attempt}`;
}

export function digestOf({ task, digest }: StoredTrial): string {
  return digest ?? `digest-of-${task}`;
}

/** The log and the result of a trial, as a runner writes them. */
export function makeTrial(
  trial: StoredTrial,
  { agent, startedAt }: { agent: string; startedAt: string },
): { events: Event[]; result: TrialResult } {
  const name = nameTrial(trial);
  const start = Date.parse(startedAt);
  const events: Event[] = [];
  let now = start;
  const emit: Emit = (body, afterMs = 100) => {
    now += afterMs;
    const stamp = { position: events.length + 2, time: new Date(now).toISOString(), trial: name };
    events.push({ ...stamp, ...body } as Event);
  };
  const parts: StoredPart[] = trial.parts ?? [{ ...trial, name: "" }];
  const total = trial.seconds ?? 10;
  const result = makeResult(trial, parts, { agent, start, total });
  emit({
    type: "trial_started",
    format_version: 1,
    task: trial.task,
    attempt: trial.attempt ?? 1,
    try: 1,
    agent,
    instruction: trial.parts ? "" : (trial.instruction ?? "Do it."),
  });
  if (result.outcome !== "skipped") emitWork(trial, parts, result, emit);
  if (!trial.unfinished) emit({ type: "trial_finished", result });
  return { events, result };
}

function emitWork(trial: StoredTrial, parts: StoredPart[], result: TrialResult, emit: Emit): void {
  const image = "debian:12";
  emit({ type: "sandbox_started", kind: "docker", id: "c1", image, duration_sec: SANDBOX_SEC });
  for (const [place, part] of parts.entries()) {
    const [number, of] = [place + 1, parts.length];
    const instruction = part.instruction ?? "Do it.";
    if (trial.parts)
      emit({ type: "part_started", part: part.name, number, of, strategy: "mean", instruction });
    emit({ type: "agent_started", command: [result.agent], pid: 7, withheld_env: [] });
    const steps = stepsOf(part);
    emitSteps(steps, emit);
    emit({
      type: "agent_finished",
      end: number === of ? endOf(result.outcome) : "completed",
      exit_code: 0,
      signal: null,
      steps: steps.length,
      duration_sec: result.durations.agent_sec / of,
    });
    if (isScored(result.outcome)) emitVerdict(part, rewardOf(part, number === of, result), emit);
  }
}

function emitVerdict(part: StoredPart, reward: number | null, emit: Emit): void {
  emit({ type: "verifier_started", processes: [] });
  emit({
    type: "verifier_finished",
    reward,
    rewards: reward === null ? null : { reward },
    exit_code: reward === 1 ? 0 : 1,
    output: part.verifier ?? "",
    error: reward === null ? "no reward" : null,
    duration_sec: VERIFIER_SEC,
  });
}

// All but the last part pass, unless the fixture says otherwise.
function rewardOf(part: StoredPart, isLast: boolean, { reward }: TrialResult): number | null {
  return part.reward ?? (isLast ? reward : 1);
}

function stepsOf(part: StoredPart): StoredStep[] {
  return part.steps ?? [{ command: "echo hi", output: "hi" }];
}

function endOf(outcome: Outcome): AgentEnd {
  const verified: Outcome[] = ["passed", "failed", "verifier_error"];
  return verified.includes(outcome) ? "completed" : (outcome as AgentEnd);
}

function makeResult(
  trial: StoredTrial,
  parts: StoredPart[],
  { agent, start, total }: { agent: string; start: number; total: number },
): TrialResult {
  const outcome = trial.outcome ?? "passed";
  const reward = outcome === "passed" ? 1 : outcome === "failed" ? 0 : null;
  const steps = outcome === "skipped" ? [] : parts.flatMap(stepsOf);
  const usage: UsageTotals | null = usageOf(steps);
  const problem = { code: outcome, message: `it was ${outcome}`, hint: null };
  return {
    format_version: 1,
    trial: nameTrial(trial),
    task: trial.task,
    task_digest: digestOf(trial),
    attempt: trial.attempt ?? 1,
    tries: 1,
    agent,
    sandbox: "docker",
    outcome,
    reward,
    rewards: reward === null ? null : { reward },
    error: trial.error ?? (reward === null ? problem : null),
    steps: steps.length,
    usage,
    started_at: new Date(start).toISOString(),
    finished_at: new Date(start + total * 1000).toISOString(),
    durations: {
      total_sec: total,
      sandbox_sec: SANDBOX_SEC,
      agent_sec: Math.max(0, total - SANDBOX_SEC - VERIFIER_SEC),
      verifier_sec: VERIFIER_SEC,
    },
  };
}

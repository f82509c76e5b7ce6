import type { Outcome } from "../../src/events/outcomes.js";
import type { ErrorRecord, TrialResult, UsageTotals } from "../../src/events/records.js";
import type { Event, EventBody, RunEvent, TrialEvent } from "../../src/events/types.js";
import { summarize } from "../../src/score/summary.js";

const time = "2030-01-01T00:00:00.000Z";

export function runEvent(body: EventBody<RunEvent>): Event {
  return { position: 0, time, ...body } as Event;
}

export function trialEvent(trial: string, body: EventBody<TrialEvent>): Event {
  return { position: 0, time, trial, ...body } as Event;
}

export function startRun(trials: string[], more: { out?: string; agent?: string } = {}): Event {
  return runEvent({
    type: "run_started",
    format_version: 1,
    run: "demo",
    out: more.out ?? "runs/demo",
    agent: more.agent ?? "./my-agent",
    sandbox: "docker",
    concurrency: 2,
    trials,
  });
}

export function startTrial(trial: string): Event {
  return trialEvent(trial, {
    type: "trial_started",
    format_version: 1,
    task: nameTask(trial),
    attempt: 1,
    try: 1,
    agent: "./my-agent",
    instruction: "Do it.",
  });
}

/** One step as the trial loop emits it, up to and including the start of its command. */
export function startStep(trial: string, step: number, command: string, text?: string): Event[] {
  return [
    trialEvent(trial, { type: "step_started", step, cwd: "/app", error: null }),
    trialEvent(trial, {
      type: "response",
      step,
      command,
      task_complete: false,
      text: text ?? null,
      data: null,
      extra: {},
      duration_sec: 0.5,
    }),
    trialEvent(trial, { type: "command_started", step, command }),
  ];
}

export function finishCommand(
  trial: string,
  step: number,
  exit_code: number,
  more: { timed_out?: boolean; shell_restarted?: boolean } = {},
): Event {
  return trialEvent(trial, {
    type: "command_finished",
    step,
    exit_code,
    output: "",
    output_bytes: 0,
    cut_bytes: 0,
    timed_out: more.timed_out ?? false,
    shell_restarted: more.shell_restarted ?? false,
    cwd: "/app",
    duration_sec: 0.1,
  });
}

export function finishAgent(trial: string, steps: number): Event {
  return trialEvent(trial, {
    type: "agent_finished",
    end: "completed",
    exit_code: 0,
    signal: null,
    steps,
    duration_sec: 1,
  });
}

export function verify(trial: string, reward: number, output: string): Event[] {
  return [
    trialEvent(trial, { type: "verifier_started", processes: [] }),
    trialEvent(trial, {
      type: "verifier_finished",
      reward,
      rewards: null,
      exit_code: reward === 1 ? 0 : 1,
      output,
      error: null,
      duration_sec: 0.2,
    }),
  ];
}

export interface ResultParts {
  reward?: number | null;
  error?: ErrorRecord;
  steps?: number;
  seconds?: number;
  tries?: number;
  usage?: UsageTotals;
}

export function makeResult(
  trial: string,
  outcome: Outcome,
  { reward, error, steps = 4, seconds = 1.24, tries = 1, usage }: ResultParts = {},
): TrialResult {
  return {
    format_version: 1,
    trial,
    task: nameTask(trial),
    task_digest: "d",
    attempt: 1,
    tries,
    agent: "./my-agent",
    sandbox: "docker",
    outcome,
    reward: reward === undefined ? (outcome === "passed" ? 1 : null) : reward,
    rewards: null,
    error: error ?? null,
    steps,
    usage: usage ?? null,
    started_at: time,
    finished_at: time,
    durations: { total_sec: seconds, sandbox_sec: 0, agent_sec: seconds, verifier_sec: 0 },
  };
}

export function finishTrial(result: TrialResult): Event {
  return trialEvent(result.trial, { type: "trial_finished", result });
}

/** A result that a resumed run has from before. */
export function keepTrial(result: TrialResult): Event {
  return trialEvent(result.trial, { type: "trial_kept", result });
}

export function finishRun(
  results: TrialResult[],
  more: { planned?: number; interrupted?: boolean } = {},
): Event {
  return runEvent({
    type: "run_finished",
    summary: summarize({
      run: "demo",
      agent: "./my-agent",
      startedAt: time,
      finishedAt: "2030-01-01T00:01:23.400Z",
      interrupted: more.interrupted ?? false,
      planned: more.planned ?? results.length,
      results,
    }),
  });
}

function nameTask(trial: string): string {
  return trial.replace(/\.\d+$/, "");
}

import { join } from "node:path";
import type { ResponseData } from "../protocol/types.js";
import type { AgentEnd, SandboxKind } from "./records.js";
import { readEvents, trialFolder } from "./run-folder.js";
import type { TrialEvent } from "./types.js";

/** More lines of an agent's stderr than a report has room for. */
const MAX_STDERR_LINES = 2000;

export interface StoryCommand {
  started_at: string;
  finished_at: string;
  /** null when the trial ended while it ran. */
  exit_code: number | null;
  output: string;
  cut_bytes: number;
  timed_out: boolean;
  shell_restarted: boolean;
  duration_sec: number;
}

export interface StoryStep {
  step: number;
  started_at: string;
  cwd: string;
  /** Answers that could not be used, before the one that could. */
  invalid: { problem: string; raw: string }[];
  /** When the answer came; null when none did. */
  answered_at: string | null;
  text: string | null;
  command: string | null;
  task_complete: boolean;
  data: ResponseData | null;
  thinking_sec: number;
  ran: StoryCommand | null;
  /** What the agent wrote besides its answer. */
  stderr: string[];
  noise: string[];
  notes: string[];
}

/** A trial's log, told in order: what a report or an export needs to know of it. */
export interface Story {
  trial: string;
  started_at: string | null;
  instruction: string | null;
  sandbox: { kind: SandboxKind; id: string; image: string | null; duration_sec: number } | null;
  agent_command: string[] | null;
  /** Before the first step. */
  stderr: string[];
  notes: string[];
  /** Lines of stderr beyond what is kept. */
  stderr_left_out: number;
  steps: StoryStep[];
  end: {
    end: AgentEnd;
    exit_code: number | null;
    signal: string | null;
    duration_sec: number;
  } | null;
  verifier: {
    finished_at: string;
    output: string;
    exit_code: number | null;
    reward: number | null;
    error: string | null;
    duration_sec: number;
  } | null;
}

/** Reads a trial back from its log; a log that isn't there gives an empty story. */
export async function readStory(runDir: string, trial: string): Promise<Story> {
  const story = createStory(trial);
  try {
    for await (const event of readEvents(join(trialFolder(runDir, trial), "events.jsonl")))
      if ("trial" in event) tellEvent(story, event);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  return story;
}

function createStory(trial: string): Story {
  return {
    trial,
    started_at: null,
    instruction: null,
    sandbox: null,
    agent_command: null,
    stderr: [],
    notes: [],
    stderr_left_out: 0,
    steps: [],
    end: null,
    verifier: null,
  };
}

function tellEvent(story: Story, event: TrialEvent): void {
  const step = story.steps.at(-1);
  switch (event.type) {
    case "trial_started":
      story.started_at = event.time;
      story.instruction = event.instruction ?? null;
      break;
    case "sandbox_started": {
      const { kind, id, image, duration_sec } = event;
      story.sandbox = { kind, id, image, duration_sec };
      break;
    }
    case "agent_started":
      story.agent_command = event.command;
      break;
    case "step_started":
      // A second chance is the same step again.
      if (step?.step !== event.step) story.steps.push(startStep(event.step, event.time, event.cwd));
      break;
    case "agent_stderr":
      tellStderr(story, event.text);
      break;
    case "agent_noise":
      step?.noise.push(event.text);
      break;
    case "note":
      (step ?? story).notes.push(event.text);
      break;
    case "agent_finished": {
      const { end, exit_code, signal, duration_sec } = event;
      story.end = { end, exit_code, signal, duration_sec };
      break;
    }
    case "verifier_finished": {
      const { output, exit_code, reward, error, duration_sec } = event;
      story.verifier = {
        finished_at: event.time,
        output,
        exit_code,
        reward,
        error,
        duration_sec,
      };
      break;
    }
    default:
      if (step) tellStep(step, event);
  }
}

function tellStep(step: StoryStep, event: TrialEvent): void {
  switch (event.type) {
    case "response_invalid":
      step.invalid.push({ problem: event.problem, raw: event.raw });
      break;
    case "response":
      step.answered_at = event.time;
      step.text = event.text;
      step.command = event.command;
      step.task_complete = event.task_complete;
      step.data = event.data;
      step.thinking_sec = event.duration_sec;
      break;
    case "command_started":
      step.command = event.command;
      step.ran = startCommand(event.time);
      break;
    case "command_finished": {
      const { exit_code, output, cut_bytes, timed_out, shell_restarted, duration_sec } = event;
      const finished = { exit_code, output, cut_bytes, timed_out, shell_restarted, duration_sec };
      step.ran = {
        ...(step.ran ?? startCommand(event.time)),
        finished_at: event.time,
        ...finished,
      };
      break;
    }
  }
}

function tellStderr(story: Story, text: string): void {
  const step = story.steps.at(-1);
  const lines = story.steps.reduce((sum, { stderr }) => sum + stderr.length, story.stderr.length);
  if (lines >= MAX_STDERR_LINES) story.stderr_left_out += 1;
  else (step ?? story).stderr.push(text);
}

function startStep(step: number, started_at: string, cwd: string): StoryStep {
  return {
    step,
    started_at,
    cwd,
    invalid: [],
    answered_at: null,
    text: null,
    command: null,
    task_complete: false,
    data: null,
    thinking_sec: 0,
    ran: null,
    stderr: [],
    noise: [],
    notes: [],
  };
}

function startCommand(time: string): StoryCommand {
  return {
    started_at: time,
    finished_at: time,
    exit_code: null,
    output: "",
    cut_bytes: 0,
    timed_out: false,
    shell_restarted: false,
    duration_sec: 0,
  };
}

import type { ResponseData } from "../protocol/index.js";
import type { AgentEnd } from "./records.js";

/** What a trial's log says, in order: all that a report or an export needs to know about it. */
export interface Story {
  trial: string;
  /** null when the trial never started. */
  started_at: string | null;
  sandbox: { kind: string; id: string; image: string | null; duration_sec: number } | null;
  /** An ordinary task has one, without a name; there is always at least one. */
  parts: StoryPart[];
  /** Lines of stderr beyond those that are kept. */
  stderr_left_out: number;
}

/** One instruction, the agent's work on it, and the verdict. */
export interface StoryPart {
  name: string | null;
  /** From 1, of as many as the task has. */
  number: number;
  of: number;
  started_at: string | null;
  /** null in logs of versions that didn't record it. */
  instruction: string | null;
  agent_command: string[] | null;
  /** Before the first step. */
  stderr: string[];
  notes: string[];
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

export interface StoryStep {
  step: number;
  started_at: string;
  cwd: string;
  /** Invalid responses before the valid one. */
  invalid: { problem: string; raw: string }[];
  /** null when there was no valid response. */
  answered_at: string | null;
  text: string | null;
  command: string | null;
  task_complete: boolean;
  data: ResponseData | null;
  thinking_sec: number;
  /** Why the command was refused. */
  refused: string | null;
  ran: StoryCommand | null;
  /** What the agent wrote besides its response. */
  stderr: string[];
  noise: string[];
  notes: string[];
}

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

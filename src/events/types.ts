import type { ResponseData } from "../protocol/index.js";
import type { AgentEnd, ErrorRecord, ProcessRecord, RunSummary, TrialResult } from "./records.js";

interface Stamp {
  /** Its number in the run's stream, from 1; 0 in logs of versions that had no positions. */
  position: number;
  time: string;
}
interface InTrial extends Stamp {
  trial: string;
}

export type RunEvent =
  | (Stamp & {
      type: "run_started";
      format_version: number;
      run: string;
      out: string;
      agent: string;
      sandbox: string;
      concurrency: number;
      trials: string[];
    })
  | (Stamp & { type: "image_started"; image: string; tasks: string[] })
  | (Stamp & { type: "image_progress"; image: string; line: string })
  | (Stamp & {
      type: "image_finished";
      image: string;
      ok: boolean;
      cached: boolean;
      duration_sec: number;
      error: ErrorRecord | null;
    })
  | (Stamp & { type: "warning"; text: string })
  | (Stamp & { type: "run_finished"; summary: RunSummary });

export type TrialEvent =
  | (InTrial & {
      type: "trial_started";
      format_version: number;
      task: string;
      attempt: number;
      try: number;
      agent: string;
      /** What the agent is asked to do; each part of a task with several has its own. */
      instruction: string;
    })
  | (InTrial & {
      type: "sandbox_started";
      kind: string;
      id: string;
      image: string | null;
      duration_sec: number;
    })
  | (InTrial & {
      type: "agent_started";
      command: string[];
      pid: number | null;
      withheld_env: string[];
    })
  /** A task with several parts starts its next one, whose steps count from 1 again. */
  | (InTrial & {
      type: "part_started";
      part: string;
      number: number;
      of: number;
      /** How the trial's reward is computed from its parts'. */
      strategy: "mean" | "final";
      instruction: string;
    })
  | (InTrial & { type: "step_started"; step: number; cwd: string; error: string | null })
  | (InTrial & { type: "agent_noise"; step: number; text: string })
  | (InTrial & { type: "agent_stderr"; text: string })
  | (InTrial & {
      type: "response_invalid";
      step: number;
      problem: string;
      raw: string;
      in_a_row: number;
    })
  | (InTrial & {
      type: "response";
      step: number;
      command: string | null;
      task_complete: boolean;
      text: string | null;
      data: ResponseData | null;
      extra: Record<string, unknown>;
      duration_sec: number;
    })
  | (InTrial & { type: "command_started"; step: number; command: string })
  | (InTrial & {
      type: "command_finished";
      step: number;
      exit_code: number;
      output: string;
      output_bytes: number;
      /** Bytes left out of `output`; 0 when it is complete. */
      cut_bytes: number;
      timed_out: boolean;
      /** True when the shell ended (`exit`, `exec`, a signal) and a new one was started. */
      shell_restarted: boolean;
      cwd: string;
      duration_sec: number;
    })
  /** Whoever approves commands refused this one. */
  | (InTrial & { type: "command_refused"; step: number; command: string; reason: string })
  | (InTrial & { type: "note"; text: string })
  | (InTrial & {
      type: "agent_finished";
      end: AgentEnd;
      exit_code: number | null;
      signal: string | null;
      steps: number;
      duration_sec: number;
    })
  /** `processes`: what the agent left running, alive while the tests run. */
  | (InTrial & { type: "verifier_started"; processes: ProcessRecord[] })
  | (InTrial & {
      type: "verifier_finished";
      reward: number | null;
      rewards: Record<string, number> | null;
      exit_code: number | null;
      output: string;
      error: string | null;
      duration_sec: number;
    })
  /** A pass was verified again, in a fresh sandbox with the same files, without the agent's processes. */
  | (InTrial & {
      type: "verifier_repeated";
      reward: number | null;
      rewards: Record<string, number> | null;
      exit_code: number | null;
      output: string;
      error: string | null;
      duration_sec: number;
    })
  | (InTrial & { type: "sandbox_kept"; enter: string; remove: string })
  | (InTrial & { type: "trial_retried"; reason: string })
  | (InTrial & { type: "trial_finished"; result: TrialResult })
  /** A resumed run keeps this result from before. */
  | (InTrial & { type: "trial_kept"; result: TrialResult });

export type Event = RunEvent | TrialEvent;

/** An event as its producer writes it: position, time and trial are filled in by the log. */
export type EventBody<E extends Event> = E extends Event
  ? Omit<E, "position" | "time" | "trial">
  : never;
export type Emit = (event: EventBody<TrialEvent>) => void;

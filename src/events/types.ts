import type { ResponseData } from "../protocol/types.js";

export const FORMAT_VERSION = 1;

export const OUTCOMES = [
  "passed",
  "failed",
  "agent_timeout",
  "agent_crashed",
  "invalid_output",
  "idle",
  "max_steps",
  "verifier_error",
  "infra_error",
  "cancelled",
  "skipped",
] as const;
export type Outcome = (typeof OUTCOMES)[number];

export type SandboxKind = "docker" | "bubblewrap" | "local";

/** What ended the agent phase. */
export type AgentEnd =
  | "completed"
  | "agent_timeout"
  | "agent_crashed"
  | "invalid_output"
  | "idle"
  | "max_steps"
  | "infra_error"
  | "cancelled";

export interface ErrorRecord {
  code: string;
  message: string;
  hint: string | null;
}

export interface UsageTotals {
  models: string[];
  input_tokens: number;
  output_tokens: number;
  /** null as long as no step reported a cost: never guessed. */
  cost_usd: number | null;
}

/** Content of `result.json`; its presence means that the trial is done. */
export interface TrialResult {
  format_version: number;
  trial: string;
  task: string;
  task_digest: string;
  attempt: number;
  /** 1 for the first try; more after infrastructure errors. */
  tries: number;
  agent: string;
  sandbox: SandboxKind;
  outcome: Outcome;
  reward: number | null;
  rewards: Record<string, number> | null;
  error: ErrorRecord | null;
  steps: number;
  usage: UsageTotals | null;
  started_at: string;
  finished_at: string;
  durations: { total_sec: number; sandbox_sec: number; agent_sec: number; verifier_sec: number };
}

/** Content of `run.json`: what was run, with which rules, on what. */
export interface RunRecord {
  format_version: number;
  run: string;
  started_at: string;
  term_run: string;
  agent: { name: string; spec: string };
  sandbox: SandboxKind;
  limits: LimitsRecord;
  grade_timeouts: boolean;
  concurrency: number;
  retries: number;
  /** When this is one part of a run: which, and how many trials the whole has. */
  shard?: { number: number; of: number; trials: number };
  /** When this was put together from several runs: their names. */
  merged_from?: string[];
  trials: { trial: string; task: string; task_digest: string; attempt: number }[];
  /** What the tasks say of themselves: difficulty, category, tags, … */
  tasks: { task: string; task_digest: string; metadata: Record<string, unknown> }[];
  host: {
    platform: string;
    release: string;
    arch: string;
    cpus: number;
    memory_mb: number;
    node: string;
  };
}

export interface LimitsRecord {
  max_steps: number;
  max_invalid: number;
  max_idle: number;
  step_timeout_sec: number;
  command_timeout_sec: number;
  timeout_multiplier: number;
  output_limit_bytes: number;
}

/** A share of successes with its uncertainty (95 %). */
export interface Rate {
  value: number | null;
  low: number | null;
  high: number | null;
  passed: number;
  of: number;
  /** How the interval was made. */
  method: "wilson" | "clustered_t";
  /** Independent observations behind the interval: trials, or tasks if they had several. */
  units: number;
  /** Of the share, with tasks as clusters; null for a Wilson interval, which has none. */
  standard_error: number | null;
}

/** pass@k or pass^k, averaged over the tasks that have at least k scored trials. */
export interface RateOfK {
  k: number;
  /** null when no task has k scored trials. */
  value: number | null;
  tasks: number;
}

/** The tasks that share a difficulty, a category or a tag. */
export interface GroupSummary {
  name: string;
  tasks: number;
  pass_rate: Rate;
  mean_reward: number | null;
}

/** Averages over scored trials; tokens and cost over those that reported them. */
export interface PerTrial {
  trials: number;
  time_sec: number | null;
  usage_trials: number;
  input_tokens: number | null;
  output_tokens: number | null;
  cost_trials: number;
  cost_usd: number | null;
}

/** What all scored trials took, failed ones included, for each one that passed. */
export interface PerPass {
  passes: number;
  time_sec: number | null;
  input_tokens: number | null;
  output_tokens: number | null;
  cost_usd: number | null;
}

export interface TaskSummary {
  task: string;
  passed: number;
  scored: number;
  mean_reward: number | null;
  outcomes: Partial<Record<Outcome, number>>;
}

/** Content of `summary.json`. */
export interface RunSummary {
  format_version: number;
  run: string;
  agent: string;
  started_at: string;
  finished_at: string;
  duration_sec: number;
  interrupted: boolean;
  trials: { planned: number; finished: number; scored: number };
  outcomes: Record<Outcome, number>;
  pass_rate: Rate;
  mean_reward: number | null;
  /** For every k up to the attempts. */
  pass_at_k: RateOfK[];
  pass_hat_k: RateOfK[];
  /** Tasks with both passed and other scored trials. */
  flaky: string[];
  usage: UsageTotals | null;
  per_trial: PerTrial;
  per_pass: PerPass;
  groups: { difficulty: GroupSummary[]; category: GroupSummary[]; tag: GroupSummary[] };
  tasks: TaskSummary[];
}

interface Stamp {
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
      sandbox: SandboxKind;
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
      /** What the agent was asked to do; logs of earlier versions lack it. */
      instruction?: string;
    })
  | (InTrial & {
      type: "sandbox_started";
      kind: SandboxKind;
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
  /** A task with several parts goes on to its next one; its steps count from 1 again. */
  | (InTrial & {
      type: "part_started";
      part: string;
      number: number;
      of: number;
      /** How the parts' rewards make the trial's. */
      strategy: "mean" | "final";
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
      /** Bytes left out of `output`; 0 when it is whole. */
      cut_bytes: number;
      timed_out: boolean;
      /** True when the shell ended (`exit`, `exec`, a signal) and a fresh one took over. */
      shell_restarted: boolean;
      cwd: string;
      duration_sec: number;
    })
  | (InTrial & { type: "note"; text: string })
  | (InTrial & {
      type: "agent_finished";
      end: AgentEnd;
      exit_code: number | null;
      signal: string | null;
      steps: number;
      duration_sec: number;
    })
  | (InTrial & { type: "verifier_started" })
  | (InTrial & {
      type: "verifier_finished";
      reward: number | null;
      rewards: Record<string, number> | null;
      exit_code: number | null;
      output: string;
      error: string | null;
      duration_sec: number;
    })
  | (InTrial & { type: "sandbox_kept"; enter: string; remove: string })
  | (InTrial & { type: "trial_retried"; reason: string })
  | (InTrial & { type: "trial_finished"; result: TrialResult });

export type Event = RunEvent | TrialEvent;

/** An event as its producer writes it: time (and trial) are filled in by the log. */
export type EventBody<E extends Event> = E extends Event ? Omit<E, "time" | "trial"> : never;
export type Emit = (event: EventBody<TrialEvent>) => void;
export type EmitRun = (event: EventBody<RunEvent>) => void;

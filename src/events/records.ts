import type { Outcome } from "./outcomes.js";
import type {
  DownloadLimitsRecord,
  LeashKind,
  LimitsRecord,
  OriginRecord,
} from "./rule-records.js";

export const FORMAT_VERSION = 1;

/** What ended the agent phase. */
export type AgentEnd =
  | "completed"
  | "agent_timeout"
  | "agent_crashed"
  | "invalid_output"
  | "idle"
  | "max_steps"
  | "failed"
  | "infra_error"
  | "cancelled";

export interface ErrorRecord {
  code: string;
  message: string;
  hint: string | null;
}

/** A process that the agent started. */
export interface ProcessRecord {
  pid: number;
  command: string;
  age_sec: number;
}

export interface UsageTotals {
  models: string[];
  input_tokens: number;
  output_tokens: number;
  /** null until a step reports a cost; never estimated. */
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
  sandbox: string;
  outcome: Outcome;
  reward: number | null;
  rewards: Record<string, number> | null;
  error: ErrorRecord | null;
  /** Of a pass that was verified again without the agent's processes: whether it failed then. */
  relies_on_processes?: boolean;
  steps: number;
  usage: UsageTotals | null;
  started_at: string;
  finished_at: string;
  durations: { total_sec: number; sandbox_sec: number; agent_sec: number; verifier_sec: number };
}

/** Content of `run.json`: what was run, with which rules, on which host. */
export interface RunRecord {
  format_version: number;
  run: string;
  started_at: string;
  term_run: string;
  /** `cwd`: what a spec that is a path is relative to. */
  agent: { name: string; spec: string; cwd?: string; leash?: LeashKind };
  sandbox: string;
  limits: LimitsRecord;
  grade_timeouts: boolean;
  concurrency: number;
  retries: number;
  /** The image for tasks without one of their own. */
  image?: string;
  /** Whether sandboxes had fewer privileges than the engine's default. */
  hardened?: boolean;
  /** Whether every pass was verified a second time, without the agent's processes. */
  strict?: boolean;
  /** What may be copied out of a sandbox, where it isn't the default. */
  artifact_limits?: Partial<DownloadLimitsRecord>;
  /** Names of the variables that the agent was given with --env. */
  env?: string[];
  /** When this is one shard of a run: which one, and how many trials the whole run has. */
  shard?: { number: number; of: number; trials: number };
  /** Tasks that could not be read and were left out, and why. */
  unreadable?: { task: string; dir: string | null; problem: string }[];
  /** The datasets that tasks are of, and the registries that list them. */
  datasets?: { name: string; version: string | null; registry: string }[];
  /** When this was merged from several runs: their names. */
  merged_from?: string[];
  trials: { trial: string; task: string; task_digest: string; attempt: number }[];
  /** The tasks' own metadata: difficulty, category, tags, … */
  tasks: {
    task: string;
    task_digest: string;
    /** Where it was read from. */
    dir?: string;
    metadata: Record<string, unknown>;
    /** Whether the task itself asks for fewer privileges. */
    hardened?: boolean;
    origin?: OriginRecord;
  }[];
  host: {
    platform: string;
    release: string;
    arch: string;
    cpus: number;
    memory_mb: number;
    node: string;
  };
}

/** A 95 % interval. */
export interface Interval {
  low: number;
  high: number;
}

/** A share of successes with its uncertainty (95 %). */
export interface Rate {
  value: number | null;
  /** For tasks like these. */
  low: number | null;
  high: number | null;
  /** For exactly these tasks; null if nothing was scored. */
  these_tasks: Interval | null;
  passed: number;
  of: number;
  /** How the interval was computed: from the trials, or from what they are worth in tasks. */
  method: "wilson" | "wilson_effective";
  /** How many independent trials the interval was computed for. */
  units: number;
  /** Standard error of the share, with tasks as clusters; null for one attempt. */
  standard_error: number | null;
}

/** A share of which no interval is given. */
export interface Share {
  value: number;
  passed: number;
  of: number;
}

/** pass@k or pass^k, averaged over the tasks that have at least k scored trials. */
export interface RateOfK {
  k: number;
  /** null when no task has k scored trials. */
  value: number | null;
  /** For tasks like these. */
  low: number | null;
  high: number | null;
  tasks: number;
}

/** The tasks that share a difficulty, a category or a tag. */
export interface GroupSummary {
  name: string;
  tasks: number;
  pass_rate: Rate;
  mean_reward: number | null;
  mean_reward_interval: Interval | null;
}

/** Averages over scored trials; tokens and cost over those that reported them. */
export interface PerTrial {
  trials: number;
  time_sec: number | null;
  /** For tasks like these; null where nothing varies. */
  time_interval: Interval | null;
  usage_trials: number;
  input_tokens: number | null;
  output_tokens: number | null;
  cost_trials: number;
  cost_usd: number | null;
  cost_interval: Interval | null;
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
  /** With infrastructure errors as failures; null if there are none. */
  with_errors: Share | null;
  /** Tries that ended in an infrastructure error or an interruption and were run again. */
  discarded_tries: number;
  mean_reward: number | null;
  mean_reward_interval: Interval | null;
  /** For every k up to the number of attempts. */
  pass_at_k: RateOfK[];
  pass_hat_k: RateOfK[];
  /** Tasks with both passed and other scored trials. */
  flaky: string[];
  usage: UsageTotals | null;
  per_trial: PerTrial;
  per_pass: PerPass;
  groups: { difficulty: GroupSummary[]; category: GroupSummary[]; tag: GroupSummary[] };
  tasks: TaskSummary[];
  /** Names of tasks that could not be read and were left out, if there are any. */
  unreadable?: string[];
  /** Trials that passed only while the agent's processes were alive; missing if there are none. */
  relies_on_processes?: string[];
}

import type {
  AgentEnd,
  Emit,
  ErrorRecord,
  Event,
  Redactor,
  RunRecord,
  RunSummary,
  StoredRun,
} from "../events/index.js";
import type { Agent, DownloadLimits, Limits, SandboxProvider, Task } from "../interfaces/index.js";
import type { Leash, LeashChoice } from "../leash/index.js";
import type { Watchdog } from "../process/index.js";

/** One agent on one task, one attempt. */
export interface PlannedTrial {
  trial: string;
  task: Task;
  attempt: number;
  agent: Agent;
}

/** What is to be run, with which rules, and where its files go. */
export interface RunPlan {
  /** The run's folder; its name is the run's. */
  out: string;
  version: string;
  agent: RunRecord["agent"];
  /** The run closes it. */
  provider: SandboxProvider;
  /** For tasks without an image of their own; null where it doesn't matter. */
  image?: string | null;
  /** Whether sandboxes have fewer privileges than the engine's default. */
  hardened?: boolean;
  /** Whether the run's programs on this host are kept from its files; missing: they aren't. */
  leash?: LeashChoice;
  /** Names of the variables that the agent gets beyond the usual ones. */
  env?: string[];
  trials: PlannedTrial[];
  /** If these trials are one shard of a run. */
  shard?: RunRecord["shard"];
  limits?: Partial<Limits>;
  /** What may be copied out of a sandbox. */
  downloadLimits?: Partial<DownloadLimits>;
  gradeTimeouts?: boolean;
  concurrency?: number;
  /** How often a trial is retried after an infrastructure error. */
  retries?: number;
  /** Verifies every pass a second time, without the agent's processes. */
  strict?: boolean;
  /** Leaves the sandboxes in place, to be inspected. */
  keep?: boolean;
  /** Tasks that could not be read and are left out. */
  unreadable?: RunRecord["unreadable"];
  /** The datasets that tasks are of. */
  datasets?: RunRecord["datasets"];
  /** What the user should know before the run starts. */
  warnings?: string[];
  /** Values that must not appear in any file or event. */
  secrets?: readonly string[];
  /** The run to resume, as it is on disk. */
  resumed?: StoredRun;
  /** Cancels the run. */
  signal?: AbortSignal;
}

/** A run in progress. */
export interface Run {
  readonly name: string;
  readonly out: string;
  /** Every event after a position, from the files and then live; by default from this start on. */
  events(after?: number, signal?: AbortSignal): AsyncIterable<Event>;
  /** Ends one trial, or the run. `done` resolves once everything is released. */
  cancel(trial?: string): void;
  readonly done: Promise<RunSummary>;
}

/** Everything that one try of a trial needs. */
export interface TrialContext extends PlannedTrial {
  run: string;
  try: number;
  provider: SandboxProvider;
  limits: Limits;
  downloadLimits: DownloadLimits;
  gradeTimeouts: boolean;
  strict: boolean;
  keep: boolean;
  /** Folder of this trial's files. */
  dir: string;
  redactor: Redactor;
  watchdog: Watchdog;
  leash: Leash | null;
  emit: Emit;
  signal: AbortSignal;
}

/** A task, or one of its parts with its name. */
export interface Part {
  task: Task;
  name: string | null;
  /** Whether nothing works in the sandbox after it. */
  isLast: boolean;
}

/** How the agent's work on one instruction ended. */
export interface TurnEnd {
  end: AgentEnd;
  error: ErrorRecord | null;
  steps: number;
}

export interface Verdict {
  reward: number | null;
  rewards: Record<string, number> | null;
  /** Why there is no reward. */
  error: string | null;
  /** Of a pass that was verified again without the agent's processes: whether it failed then. */
  reliesOnProcesses?: boolean;
}

/** How one part of a task ended, or all of it. */
export interface PartEnd {
  turn: TurnEnd;
  verdict: Verdict | null;
  agentMs: number;
  verifierMs: number;
}

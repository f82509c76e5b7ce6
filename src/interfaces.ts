/** The parts a trial is made of. Each has several implementations; this page is all they share. */
import type { ReadStream, WriteStream } from "node:tty";
import type { AgentEnd, SandboxKind } from "./events/records.js";
import type { Emit, Event } from "./events/types.js";
import type { StepRequest, StepResponse } from "./protocol/types.js";

/** A folder: an instruction, an environment, a verifier, optionally a solution. */
export interface Task {
  name: string;
  dir: string;
  instruction: string;
  /** SHA-256 over everything that decides the score. */
  digest: string;
  metadata: Record<string, unknown>;
  /** null: no limit of its own; the limits on steps and commands still hold. */
  agentTimeoutSec: number | null;
  /** Who the agent's commands run as; null: the image's own user. */
  agentUser: string | null;
  /** The network during the agent phase, where it differs from the environment's. */
  agentNetwork: NetworkPolicy | null;
  verifier: Verification;
  environment: Environment;
  solution: Solution | null;
  /** What to keep of the sandbox after the agent phase. */
  artifacts: Artifact[];
  /** The parts of a task with several, done in order in one sandbox; null for an ordinary task. */
  steps: { strategy: "mean" | "final"; parts: TaskPart[] } | null;
  /** What is odd about the task folder: unknown fields and the like. */
  warnings: string[];
  /** Why no sandbox can honour this task as it is written, or null. */
  unsupported: string | null;
}

/** One part of a task with several: a task of its own in the sandbox that the others left. */
export interface TaskPart {
  /** Its own instruction, limits, verifier, solution and artifacts; the environment is shared. */
  task: Task;
  /** Copied into the working directory before it; a `setup.sh` in it is run. */
  filesDir: string | null;
  healthcheck: Healthcheck | null;
  /** Rewards that must be reached for the next part to begin. */
  minReward: Record<string, number> | null;
}

export interface Environment {
  /** `image`: a ready one; `build`: a Dockerfile; `portable`: any Linux with a shell. */
  source:
    | { kind: "image"; image: string }
    | { kind: "build"; contextDir: string; dockerfile?: string }
    | { kind: "portable" };
  /** Copied into the working directory before the agent starts. */
  filesDir: string | null;
  /** Services beside the sandbox. */
  compose: { file: string; service: string; variables: Record<string, string> } | null;
  buildTimeoutSec: number;
  cpus: number | null;
  memoryMb: number | null;
  storageMb: number | null;
  /** null: the task doesn't say. */
  network: NetworkPolicy | null;
  workdir: string | null;
  env: Record<string, string>;
  healthcheck: Healthcheck | null;
}

export type NetworkPolicy =
  | { mode: "public" }
  | { mode: "none" }
  | { mode: "allowlist"; hosts: string[] };

export interface Healthcheck {
  command: string;
  intervalSec: number;
  timeoutSec: number;
  startPeriodSec: number;
  startIntervalSec: number;
  retries: number;
}

export interface Verification {
  timeoutSec: number;
  env: Record<string, string>;
  user: string | null;
  network: NetworkPolicy | null;
  /** What becomes /tests, later ones over earlier ones. */
  tests: FolderPart[];
  /** What is run in /tests, and how its result is read. */
  script: string;
  parser: RewardParser;
  /** A machine of its own to verify in; null: the agent's. */
  separate: Environment | null;
  /** Run before artifacts are collected. */
  collect: { command: string; service: string; timeoutSec: number; user: string | null }[];
}

/** `reward`: reward files, else the exit code; the others read what the tests printed. */
export type RewardParser = "reward" | "pytest" | "swebench" | "sweperf" | "mlebench" | "swelancer";

export interface Solution {
  /** What becomes /solution; null when the commands need no files. */
  files: FolderPart | null;
  /** A file of /solution that is run, or lines that are typed one after another. */
  run: { script: string } | { commands: string[] };
  env: Record<string, string>;
}

/** A folder's contents, or only some of its entries. */
export interface FolderPart {
  dir: string;
  only: string[] | null;
}

export interface Artifact {
  source: string;
  destination: string | null;
  exclude: string[];
  service: string;
}

export interface CommandResult {
  /** stdout and stderr in the order written, cut in the middle when too long. */
  output: string;
  outputBytes: number;
  cutBytes: number;
  exitCode: number;
  timedOut: boolean;
  shellRestarted: boolean;
  durationMs: number;
}

export interface RunOptions {
  timeoutMs: number;
  signal: AbortSignal;
}

export interface ExecOptions extends RunOptions {
  cwd?: string;
  env?: Record<string, string>;
  /** Who it runs as; the image's own user when it isn't said. */
  user?: string | null;
  /** The service beside the sandbox that it runs in; the sandbox itself when it isn't said. */
  service?: string;
}

/** A person's terminal. */
export interface AttachOptions {
  stdin: ReadStream;
  stdout: WriteStream;
  signal: AbortSignal;
}

export interface DownloadOptions {
  /** Puts `path` itself, file or folder, below the host folder under this name. */
  as?: string;
  /** Patterns of names to leave out. */
  exclude?: string[];
  service?: string;
}

/** The isolated machine that an agent's commands run in. */
export interface Sandbox {
  readonly kind: SandboxKind;
  /** Container name or folder, for people. */
  readonly id: string;
  readonly image: string | null;
  readonly workdir: string;
  /** Where the resident shell is now. */
  readonly cwd: string;
  /** What a path of the task's world (`/tests`, `/logs`) is called in this sandbox. */
  path(path: string): string;
  /** Runs one command line in the resident shell: directory, variables and functions persist. */
  run(command: string, options: RunOptions): Promise<CommandResult>;
  /** Runs a command line in a fresh process with a clean environment, apart from the shell. */
  exec(command: string, options: ExecOptions): Promise<CommandResult>;
  /** Ends every process in the sandbox, the shell included; files stay. */
  endProcesses(): Promise<void>;
  /** Copies a folder's contents, or some of them, to `path`, which is made if it isn't there. */
  upload(hostDir: string, path: string, only?: string[] | null): Promise<void>;
  /** Copies regular files and folders below `path`; a missing `path` gives nothing. */
  download(path: string, hostDir: string, options?: DownloadOptions): Promise<void>;
  /** Switches the network on or off for what follows, where the sandbox can. */
  useNetwork?(policy: NetworkPolicy | null): Promise<void>;
  /** Opens a shell for a person in the resident shell's directory; resolves with its exit code. */
  attach?(options: AttachOptions): Promise<number>;
  /** Lets the sandbox outlive the run and says how to enter and remove it. */
  keep(): Promise<{ enter: string; remove: string }>;
  /** Releases everything; safe to call twice. */
  close(): Promise<void>;
}

export interface PrepareOptions {
  signal: AbortSignal;
  onStart(image: string, tasks: string[]): void;
  onProgress(image: string, line: string): void;
  onFinish(
    image: string,
    end: { ok: boolean; cached: boolean; durationMs: number; error: unknown },
  ): void;
}

export interface SandboxProvider {
  readonly kind: SandboxKind;
  /** Why this task can't run here, or null when it can. */
  unsupported(task: Task): string | null;
  /** Builds or pulls what the tasks need. Failures are kept and thrown by `create`. */
  prepare(tasks: Task[], options: PrepareOptions): Promise<void>;
  create(
    task: Task,
    options: { trial: string; run: string; signal: AbortSignal },
  ): Promise<Sandbox>;
  close(): Promise<void>;
}

export interface Limits {
  maxSteps: number;
  maxInvalid: number;
  maxIdle: number;
  stepTimeoutSec: number;
  commandTimeoutSec: number;
  timeoutMultiplier: number;
  outputLimitBytes: number;
}

/** The program under test, or a built-in one. */
export interface Agent {
  readonly name: string;
  /** Why this agent can't work on the task, or null when it can. */
  unsupported?(task: Task): string | null;
  start(context: AgentContext): Promise<AgentSession>;
}

export interface AgentContext {
  task: Task;
  attempt: number;
  sandbox: Sandbox;
  limits: Limits;
  agentTimeoutSec: number | null;
  /** Where the agent's stderr goes. */
  stderrFile: string;
  emit: Emit;
  signal: AbortSignal;
}

export type AgentReply =
  | { kind: "response"; response: StepResponse }
  | { kind: "invalid"; problem: string; raw: string }
  | { kind: "timeout" }
  | { kind: "exited"; message: string; hint: string | null };

export interface AgentSession {
  /** True when a command may take as long as the whole agent phase (the oracle's solution). */
  readonly patient?: boolean;
  /** Sends one request and waits for its answer. */
  ask(request: StepRequest, options: RunOptions): Promise<AgentReply>;
  /** Ends the agent: gently after completion, at once otherwise. No process of its is left. */
  close(end: AgentEnd): Promise<{ exitCode: number | null; signal: string | null }>;
}

export interface Reporter {
  event(event: Event): void;
  /** Called once, after the last event. */
  close?(): Promise<void>;
}

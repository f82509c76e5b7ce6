/** The parts a trial is made of. Each has several implementations; this page is all they share. */
import type { AgentEnd, Emit, Event, SandboxKind } from "./events/types.js";
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
  verifier: { timeoutSec: number; env: Record<string, string>; testsDir: string };
  environment: {
    /** `image`: a ready one; `build`: a Dockerfile; `portable`: any Linux with a shell. */
    source:
      | { kind: "image"; image: string }
      | { kind: "build"; contextDir: string }
      | { kind: "portable" };
    /** Copied into the working directory before the agent starts. */
    filesDir: string | null;
    buildTimeoutSec: number;
    cpus: number | null;
    memoryMb: number | null;
    storageMb: number | null;
    /** null: the task doesn't say. */
    internet: boolean | null;
    workdir: string | null;
    env: Record<string, string>;
  };
  solution: { dir: string; env: Record<string, string> } | null;
  /** Why no sandbox can honour this task as it is written, or null. */
  unsupported: string | null;
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
  /** As the sandbox's root, whoever the image's own user is. */
  asRoot?: boolean;
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
  /** Copies a folder's contents to `path`, which is made if it isn't there. */
  upload(hostDir: string, path: string): Promise<void>;
  /** Copies regular files and folders below `path`; a missing `path` gives nothing. */
  download(path: string, hostDir: string): Promise<void>;
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

import type { ReadStream, WriteStream } from "node:tty";
import type { AgentEnd, Emit, ErrorRecord } from "../events/index.js";
import type { Leash } from "../leash/index.js";
import type { Watchdog } from "../process/index.js";
import type { CommandResult, Sandbox } from "./sandbox.js";
import type { Task } from "./task.js";

export interface Limits {
  maxSteps: number;
  maxInvalid: number;
  maxIdle: number;
  stepTimeoutSec: number;
  commandTimeoutSec: number;
  timeoutMultiplier: number;
  outputLimitBytes: number;
}

/** What works on an instruction: a program under test, a built-in agent, a person. */
export interface Agent {
  readonly name: string;
  /** Why this agent can't work on the task, or null when it can. */
  unsupported?(task: Task): string | null;
  open(context: AgentContext): Promise<AgentSession>;
}

export interface AgentContext {
  attempt: number;
  /** For files; commands go through the turn's terminal. */
  sandbox: Sandbox;
  watchdog: Watchdog;
  /** For the agent's processes; null: they run as any other process of the user. */
  leash: Leash | null;
  signal: AbortSignal;
}

/** An agent in one sandbox: a turn for each instruction, one after another. */
export interface AgentSession {
  /** Works until the instruction is done or something ends it. */
  work(instruction: string, turn: Turn): Promise<WorkEnd>;
  /** Releases what the session still holds; no process of the agent is left. */
  close(): Promise<void>;
}

/** What an agent has for one instruction. */
export interface Turn {
  /** The task, or the part of it that the instruction belongs to. */
  task: Task;
  terminal: Terminal;
  limits: Limits;
  /** For the whole turn; null: no limit. */
  timeoutSec: number | null;
  /** Milliseconds left of it; Infinity without a limit. */
  timeLeft(): number;
  emit: Emit;
  /** Aborted when the turn has to end. */
  signal: AbortSignal;
}

export interface WorkEnd {
  end: AgentEnd;
  error: ErrorRecord | null;
  /** How the agent's process ended, if it has one. */
  exit: AgentExit | null;
}

export interface AgentExit {
  exitCode: number | null;
  signal: string | null;
}

/** Connects agent and sandbox: it counts steps, enforces limits and writes the log. */
export interface Terminal {
  readonly cwd: string;
  /** Steps begun in this turn. */
  readonly steps: number;
  /** Begins the next step and returns its number; throws `WorkStopped` when none is left. */
  beginStep(): number;
  /** Runs a command in the step that was begun, or in a new one if that has run a command. */
  run(command: string, options?: { timeoutMs?: number }): Promise<CommandResult>;
  /** Opens a shell for a person; resolves with its exit code. */
  attach(person: { stdin: ReadStream; stdout: WriteStream }): Promise<number | null>;
}

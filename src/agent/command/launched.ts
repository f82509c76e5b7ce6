import type { Readable, Writable } from "node:stream";
import type { AgentExit } from "../../interfaces/index.js";

export interface ProcessExit extends AgentExit {
  /** Why it could not be started, if it couldn't. */
  problem: string | null;
}

/** An agent's process, which leads a session and a process group. */
export interface LaunchedAgent {
  stdin: Writable;
  stdout: Readable;
  stderr: Readable;
  /** Its id, also that of its group; null if it could not be started. */
  started: Promise<number | null>;
  /** Resolves when the program itself has ended; never rejects. */
  exit: Promise<ProcessExit>;
  /** In the environment of every process that it starts. */
  marker: string;
  /** What it has started and that still runs. */
  listOthers(): Promise<number[]>;
  /** Kills it and everything that it started. */
  end(): Promise<void>;
}

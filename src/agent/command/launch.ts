import { randomBytes } from "node:crypto";
import type { Readable, Writable } from "node:stream";
import type { AgentExit } from "../../interfaces/index.js";
import type { Leash } from "../../leash/index.js";
import { MARKER_VARIABLE, type Watchdog } from "../../process/index.js";
import { launchLeashed } from "./launch-leashed.js";
import { launchPlain } from "./launch-plain.js";
import type { AgentCommand } from "./resolve.js";

export interface LaunchOptions {
  command: AgentCommand;
  env: Record<string, string>;
  /** null: it runs as any other process of the user. */
  leash: Leash | null;
  watchdog: Watchdog;
}

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

/** Starts an agent with pipes, and registers it with the watchdog. */
export function launchAgent({ command, env, leash, watchdog }: LaunchOptions): LaunchedAgent {
  /** So that every process of the agent can be found. */
  const marker = randomBytes(12).toString("hex");
  // Before the start, so that the agent is found even if this process dies in between.
  watchdog.watchMarked(marker);
  const program = { ...command, env: { ...env, [MARKER_VARIABLE]: marker } };
  return leash
    ? launchLeashed(program, marker, { leash, watchdog })
    : launchPlain(program, marker, watchdog);
}

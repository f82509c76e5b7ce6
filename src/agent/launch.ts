import { randomBytes } from "node:crypto";
import { execa, type ResultPromise } from "execa";
import { MARKER_VARIABLE } from "../process/marked.js";
import { watchdog } from "../process/watchdog.js";
import type { AgentCommand } from "./resolve.js";

export interface LaunchedAgent {
  child: ResultPromise;
  /** In the environment of every process that the agent starts, so that all are found. */
  marker: string;
}

/** Starts an agent in a process group of its own, with pipes, and entrusts it to the watchdog. */
export function launchAgent(
  { command, args }: AgentCommand,
  env: Record<string, string>,
): LaunchedAgent {
  const marker = randomBytes(12).toString("hex");
  // Before the process: if the runner dies between the two, it is found all the same.
  watchdog.watchMarked(marker);
  const child = execa(command, args, {
    detached: true,
    extendEnv: false,
    env: { ...env, [MARKER_VARIABLE]: marker },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
    buffer: false,
    reject: false,
    cleanup: false,
  });
  if (child.pid) watchdog.watchTree(child.pid);
  return { child: child as unknown as ResultPromise, marker };
}

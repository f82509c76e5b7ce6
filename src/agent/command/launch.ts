import { randomBytes } from "node:crypto";
import { execa } from "execa";
import { MARKER_VARIABLE, type Watchdog } from "../../process/index.js";
import type { AgentCommand } from "./resolve.js";

export type LaunchedAgent = ReturnType<typeof launchAgent>;

/** Starts an agent in its own process group, with pipes, and registers it with the watchdog. */
export function launchAgent(
  { command, args, cwd }: AgentCommand,
  env: Record<string, string>,
  watchdog: Watchdog,
) {
  /** In the environment of every process that the agent starts, so that all are found. */
  const marker = randomBytes(12).toString("hex");
  // Before the start, so that the agent is found even if this process dies in between.
  watchdog.watchMarked(marker);
  const child = execa(command, args, {
    detached: true,
    cwd,
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
  return { child, marker };
}

import { execa } from "execa";
import { messageOf } from "../../errors.js";
import type { LeashedProgram } from "../../leash/index.js";
import { findDescendants, killMarked, killQuietly, type Watchdog } from "../../process/index.js";
import type { LaunchedAgent, ProcessExit } from "./launched.js";

/** Starts an agent as any other process of the user. */
export function launchPlain(
  { command, args, cwd, env }: LeashedProgram,
  marker: string,
  watchdog: Watchdog,
): LaunchedAgent {
  const child = execa(command, args, {
    detached: true,
    cwd,
    extendEnv: false,
    env,
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
    buffer: false,
    reject: false,
    cleanup: false,
  });
  const { stdin, stdout, stderr, pid } = child;
  if (pid) watchdog.watchTree(pid);
  const exit = new Promise<ProcessExit>((resolve) => {
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal, problem: null }));
    child.once("error", (error) =>
      resolve({ exitCode: null, signal: null, problem: messageOf(error) }),
    );
  });
  let others: number[] = [];
  return {
    ...{ stdin, stdout, stderr, exit, marker },
    started: Promise.resolve(pid ?? null),
    listOthers: async () => {
      others = pid ? await findDescendants(pid) : [];
      return others;
    },
    end: async () => {
      if (pid) killQuietly(-pid, "SIGKILL");
      for (const other of others) killQuietly(other, "SIGKILL");
      await killMarked(marker);
      watchdog.releaseMarked(marker);
      if (pid) watchdog.releaseTree(pid);
    },
  };
}

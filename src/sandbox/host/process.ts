import { type ChildProcess, spawn } from "node:child_process";
import type { DriverProcess } from "./resident-shell.js";

/** A driver that is a child process of the runner, in a session of its own. */
export function spawnDriver(
  command: string,
  args: string[],
  options: { env: Record<string, string>; cwd?: string },
): Promise<DriverProcess> {
  const child = spawn(command, args, {
    env: options.env,
    ...(options.cwd ? { cwd: options.cwd } : {}),
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("spawn", () => resolve(driverOf(child)));
  });
}

function driverOf(child: ChildProcess): DriverProcess {
  const { stdin, stdout, stderr } = child;
  stdin?.on("error", () => {});
  return {
    write: (text) => void stdin?.write(text),
    onData: (listener) => {
      stdout?.on("data", listener);
      stderr?.on("data", listener);
    },
    onEnd: (listener) => {
      if (child.exitCode !== null || child.signalCode !== null) listener();
      // Background jobs may hold the pipes open: the driver's own exit is what counts.
      else child.once("exit", () => setImmediate(listener));
    },
    kill: () => {
      try {
        process.kill(-(child.pid as number), "SIGKILL");
      } catch {
        child.kill("SIGKILL");
      }
    },
  };
}

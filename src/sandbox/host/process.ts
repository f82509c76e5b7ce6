import { spawn } from "node:child_process";
import { constants } from "node:os";
import type { SandboxProcess } from "../../interfaces/index.js";

/** A program of the host, and how to kill it with everything that it started. */
export interface HostCommand {
  file: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
  /** Called only while the process exists. */
  kill(pid: number): void;
}

/** Starts a process in a session of its own, with three pipes. */
export function startProcess(command: HostCommand): Promise<SandboxProcess> {
  const child = spawn(command.file, command.args, {
    env: command.env,
    cwd: command.cwd,
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  const { stdin, stdout, stderr } = child;
  // A process may exit before it has read all of its input.
  stdin.on("error", () => {});
  const exit = new Promise<number | null>((resolve) => {
    // Background jobs may hold the pipes open: the process's own exit is what counts.
    child.once("exit", (code, signal) => setImmediate(() => resolve(code ?? codeOf(signal))));
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("spawn", () => {
      const { pid } = child as { pid: number };
      const kill = () => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        command.kill(pid);
        // It is awaited with a deadline, and not any longer.
        child.unref();
      };
      resolve({ stdin, stdout, stderr, exit, kill, resize: () => {} });
    });
  });
}

/** The exit code that a shell reports for a signal. */
function codeOf(signal: NodeJS.Signals | null): number | null {
  return signal === null ? null : 128 + constants.signals[signal];
}

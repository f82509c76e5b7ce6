import { Readable } from "node:stream";
import type { SandboxProcess, TerminalSize } from "../../interfaces/index.js";
import { terminalInput } from "../terminal-input.js";
import type { HostCommand } from "./process.js";

/** Starts a process in a session and a terminal of its own. */
export async function startInTerminal(
  { file, args, env, cwd, kill }: HostCommand,
  { columns, rows }: TerminalSize,
): Promise<SandboxProcess> {
  // Loaded only when asked for: few runs need a terminal.
  const { spawn } = await import("@lydell/node-pty");
  const name = env.TERM ?? "xterm";
  const pty = spawn(file, args, { name, cols: columns, rows, cwd, env, encoding: null });
  let isRunning = true;
  const whileRunning = (act: () => void) => {
    if (isRunning) act();
  };
  const stdout = new Readable({ read: () => whileRunning(() => pty.resume()) });
  const stdin = terminalInput((bytes) => whileRunning(() => pty.write(bytes as string)));
  pty.onData((bytes) => {
    if (!stdout.push(bytes)) pty.pause();
  });
  const exit = new Promise<number>((resolve) => {
    pty.onExit(({ exitCode, signal }) => {
      isRunning = false;
      stdout.push(null);
      resolve(signal ? 128 + signal : exitCode);
    });
  });
  return {
    stdin,
    stdout,
    stderr: Readable.from([]),
    exit,
    resize: (size) => whileRunning(() => pty.resize(size.columns, size.rows)),
    kill: () => whileRunning(() => kill(pty.pid)),
  };
}

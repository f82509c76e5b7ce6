import { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import type Docker from "dockerode";
import type { SandboxProcess, TerminalSize } from "../../interfaces/index.js";
import { terminalInput } from "../terminal-input.js";
import { demux } from "./demux.js";
import type { ExecExits } from "./exec-exits.js";

/** How often, at this interval, the engine is asked for the exit code of what has just ended. */
const EXIT_ROUNDS = 100;
const EXIT_INTERVAL_MS = 20;

export interface ExecPlan {
  argv: string[];
  user: string;
  cwd: string;
  env: Record<string, string>;
  tty: TerminalSize | undefined;
  /** Ends the process; without it, a kill only closes its streams. */
  kill?: () => Promise<void>;
  /** Without it, the process counts as running for as long as anyone holds its streams open. */
  exits?: ExecExits;
}

/** Starts a process in a running container. */
export async function startExec(
  container: Docker.Container,
  { argv, user, cwd, env, tty, kill, exits }: ExecPlan,
): Promise<SandboxProcess> {
  const Tty = tty !== undefined;
  const exec = await container.exec({
    Cmd: argv,
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    Tty,
    User: user,
    WorkingDir: cwd,
    Env: Object.entries(env).map(([key, value]) => `${key}=${value}`),
    // Engines before API 1.42 ignore it, hence the resize below.
    ...(tty ? { ConsoleSize: [tty.rows, tty.columns] } : {}),
  });
  await exits?.subscribe();
  const died = exits?.wait(exec.id);
  const stream = await exec.start({ hijack: true, stdin: true, Tty });
  const resize = ({ columns, rows }: TerminalSize) => exec.resize({ w: columns, h: rows });
  if (tty) await resize(tty).catch(() => {});
  const [stdout, stderr] = [open(), open()];
  const ended = new Promise<void>((resolve) => {
    const end = () => {
      stdout.push(null);
      stderr.push(null);
      resolve();
    };
    stream.once("end", end).once("close", end).on("error", end);
  });
  if (tty) stderr.push(null);
  const push = (to: Readable) => (bytes: Buffer) => {
    if (!to.push(bytes)) stream.pause();
  };
  stream.on("data", tty ? push(stdout) : demux(push(stdout), push(stderr)));
  let isAbandoned = false;
  const abandon = () => {
    isAbandoned = true;
    stream.destroy();
  };
  return {
    stdin: tty ? terminalInput((bytes) => stream.write(bytes)) : stream,
    stdout,
    stderr,
    exit: Promise.race([
      ended.then(() => (isAbandoned ? null : readExitCode(exec))),
      ...(died ? [died] : []),
    ]).finally(() => exits?.forget(exec.id)),
    resize: (size) => void resize(size).catch(() => {}),
    kill: () => void (kill ? kill().catch(abandon) : abandon()),
  };

  function open(): Readable {
    return new Readable({ read: () => void stream.resume() });
  }
}

/** The streams of a process may end a moment before the engine knows the exit code. */
async function readExitCode(exec: Docker.Exec): Promise<number | null> {
  for (let round = 0; round < EXIT_ROUNDS; round++) {
    const state = await exec.inspect().catch(() => null);
    if (!state) return null;
    if (!state.Running) return state.ExitCode;
    await setTimeout(EXIT_INTERVAL_MS);
  }
  return null;
}

import { finished } from "node:stream/promises";
import type { ReadStream, WriteStream } from "node:tty";
import pTimeout from "p-timeout";
import type { Sandbox, TerminalSize } from "../interfaces/index.js";

/** Runs the best available shell, in a directory that may no longer exist. */
const INTERACTIVE = 'cd "$1" 2>/dev/null || cd /; exec $(command -v bash || echo sh) -i';

/** A person at a terminal. */
export interface Person {
  stdin: ReadStream;
  stdout: WriteStream;
}

/** Connects a person's terminal to a shell in the sandbox; resolves with the shell's exit code. */
export async function attachPerson(
  sandbox: Sandbox,
  { stdin, stdout }: Person,
  signal: AbortSignal,
): Promise<number | null> {
  signal.throwIfAborted();
  const shell = await sandbox.spawn(["/bin/sh", "-c", INTERACTIVE, "sh", sandbox.cwd], {
    tty: sizeOf(stdout),
    cwd: "/",
    user: sandbox.user ?? null,
  });
  let hasLeft = false;
  const onResize = () => shell.resize(sizeOf(stdout));
  stdout.on("resize", onResize);
  try {
    signal.throwIfAborted();
    // Every key goes to the shell: Ctrl-C ends what runs there, not this process.
    stdin.setRawMode(true);
    const shown = finished(shell.stdout).catch(() => {});
    shell.stdout.pipe(stdout, { end: false });
    stdin.pipe(shell.stdin);
    // It may have changed while the shell was started.
    onResize();
    const ended = Promise.all([shell.exit, shown]);
    const [exitCode] = await pTimeout(ended, { milliseconds: Number.POSITIVE_INFINITY, signal });
    hasLeft = true;
    return exitCode;
  } finally {
    stdout.off("resize", onResize);
    stdin.unpipe(shell.stdin);
    shell.stdout.unpipe(stdout);
    stdin.pause();
    stdin.setRawMode(false);
    // Who leaves by themselves may leave a server running.
    if (!hasLeft) shell.kill();
  }
}

/** A terminal that doesn't know its size is taken for one of the usual size. */
function sizeOf({ columns, rows }: WriteStream): TerminalSize {
  return { columns: columns || 80, rows: rows || 24 };
}

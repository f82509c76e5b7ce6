import { once } from "node:events";
import type Docker from "dockerode";
import type { AttachOptions } from "../../interfaces/index.js";
import { INTERACTIVE, TERMINAL } from "../shell/attach.js";

/** A shell with a terminal in a running container, joined to a person's terminal until it ends. */
export async function attachTerminal(
  container: Docker.Container,
  { user, cwd }: { user: string; cwd: string },
  { stdin, stdout, signal }: AttachOptions,
): Promise<number> {
  const exec = await container.exec({
    Cmd: ["/bin/sh", "-c", INTERACTIVE],
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    Tty: true,
    User: user,
    WorkingDir: cwd,
    Env: [`TERM=${TERMINAL}`],
    abortSignal: signal,
  });
  const stream = await exec.start({ hijack: true, stdin: true, Tty: true });
  const matchSize = () => void exec.resize({ h: stdout.rows, w: stdout.columns }).catch(() => {});
  const onAbort = () => void stream.destroy();
  const ended = once(stream, "close");
  stream.once("end", () => stream.destroy());
  signal.addEventListener("abort", onAbort, { once: true });
  stdout.on("resize", matchSize);
  // Every key goes to the shell: Ctrl-C ends what runs there, not this process.
  stdin.setRawMode(true);
  try {
    stream.pipe(stdout, { end: false });
    stdin.pipe(stream);
    matchSize();
    await ended;
    signal.throwIfAborted();
    return (await exec.inspect()).ExitCode ?? 1;
  } finally {
    signal.removeEventListener("abort", onAbort);
    stdout.off("resize", matchSize);
    stdin.unpipe(stream);
    stdin.pause();
    stdin.setRawMode(false);
    stream.destroy();
  }
}

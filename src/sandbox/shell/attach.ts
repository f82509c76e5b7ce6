import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { AttachOptions } from "../../interfaces/index.js";

/** A line of shell that becomes the best shell there is. */
export const INTERACTIVE = "exec $(command -v bash || echo sh) -i";
/** Every terminal can do what this one can, and every system knows it. */
export const TERMINAL = "xterm";

interface Program {
  command: string;
  args: string[];
  env: Record<string, string>;
}

/**
 * Hands a person's terminal to a child process until that ends.
 * `relays`: it makes a terminal of its own, and passes keys and sizes on to that.
 */
export async function attachChild(
  { command, args, env }: Program,
  { stdin, stdout, signal }: AttachOptions,
  { relays }: { relays: boolean },
): Promise<number> {
  signal.throwIfAborted();
  const child = spawn(command, args, { env, stdio: [stdin, stdout, stdout] });
  const onAbort = () => void child.kill("SIGKILL");
  const onResize = () => {
    if (relays && child.pid) tellSize(child.pid);
  };
  signal.addEventListener("abort", onAbort, { once: true });
  stdout.on("resize", onResize);
  try {
    const [exitCode] = (await once(child, "exit")) as [number | null];
    signal.throwIfAborted();
    return exitCode ?? 1;
  } finally {
    signal.removeEventListener("abort", onAbort);
    stdout.off("resize", onResize);
    // A child that was killed had no time to leave the terminal as it was.
    if (signal.aborted) spawnSync("stty", ["sane"], { stdio: [stdin, "ignore", "ignore"] });
  }
}

/** In a session of their own, processes don't hear that the terminal changed. */
function tellSize(pid: number): void {
  for (const child of childrenOf(pid)) {
    tellSize(child);
    try {
      process.kill(child, "SIGWINCH");
    } catch {
      // Gone already.
    }
  }
}

function childrenOf(pid: number): number[] {
  try {
    const pids = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
    return pids.split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

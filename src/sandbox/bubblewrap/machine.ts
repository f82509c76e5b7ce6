import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import pTimeout from "p-timeout";
import { TermRunError } from "../../errors.js";
import { killQuietly } from "../../process/index.js";
import { initCommands } from "../native/init.js";
import { INIT, ownNamespaces, type View, viewArguments } from "./arguments.js";

/** A machine that takes longer to start or to end is stuck in the kernel. */
const DEADLINE_MS = 30_000;

export interface MachineOptions {
  bwrap: string;
  view: View;
  /** null: the caller. */
  uid: number | null;
}

/**
 * The namespaces of a sandbox, held open by a process that is the first in them. Every other
 * process joins these: they see each other, and a server of one is there for the next.
 */
export class Machine {
  /** The first process, as the host numbers it. */
  readonly pid: number;
  readonly #over: Promise<void>;
  readonly #stdin: Writable;

  private constructor(parts: { pid: number; over: Promise<void>; stdin: Writable }) {
    this.pid = parts.pid;
    this.#over = parts.over;
    this.#stdin = parts.stdin;
  }

  static async start({ bwrap, view, uid }: MachineOptions): Promise<Machine> {
    const first = ["--as-pid-1", "--new-session", "--info-fd", "3", "--"];
    const guard = [...first, ...initCommands.hold(INIT)];
    const args = [...ownNamespaces({ dieWithParent: true }), ...viewArguments(view), ...guard];
    const child = spawn(bwrap, args, {
      // What is in here can read bwrap's environment.
      env: {},
      cwd: "/",
      stdio: ["pipe", "pipe", "pipe", "pipe"],
      detached: true,
      ...(uid === null ? {} : { uid, gid: uid }),
    });
    const over = new Promise<void>((resolve) => {
      child.once("exit", () => resolve()).once("error", () => resolve());
    });
    const stdin = child.stdin as Writable;
    const info = child.stdio[3] as Readable;
    stdin.on("error", () => {});
    const complaint = text(child.stderr as Readable).catch(String);
    // Its id is known before its namespaces are complete; its first line comes after that.
    const began = once(child.stdout as Readable, "data").then(() => true);
    const ready = Promise.race([began, over.then(() => false)]);
    const known = inTime(text(info), "start").catch(() => "");
    const isReady = await inTime(ready, "start").catch(() => false);
    child.stdout?.destroy();
    const pid = Number(/"child-pid": (\d+)/.exec(await known)?.[1] ?? 0);
    if (isReady && pid > 0) return new Machine({ pid, over, stdin });
    child.kill("SIGKILL");
    throw new TermRunError("infra", `bwrap could not start: ${(await complaint).trim()}`);
  }

  /** Ends every process in it: the kernel lets the first one go only after all others. */
  async end(): Promise<void> {
    killQuietly(this.pid, "SIGKILL");
    await inTime(this.#over, "end");
    this.#stdin.destroy();
  }
}

function inTime<T>(work: Promise<T>, what: string): Promise<T> {
  return pTimeout(work, {
    milliseconds: DEADLINE_MS,
    message: `the sandbox's first process didn't ${what} within ${DEADLINE_MS / 1000} s`,
  });
}

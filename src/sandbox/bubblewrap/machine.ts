import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import pTimeout from "p-timeout";
import { TermRunError } from "../../errors.js";
import { killQuietly, readStartTime, type Watchdog } from "../../process/index.js";
import { initCommands } from "../native/init.js";
import { INIT, ownNamespaces, type View, viewArguments } from "./arguments.js";
import { type LaunchOptions, launch } from "./launch.js";

/** A machine that takes longer is stuck in the kernel; thousands of processes need a while to end. */
const START_DEADLINE_MS = 30_000;
const END_DEADLINE_MS = 120_000;

const INTERVAL_MS = 5;
/** The kernel ends any other process before this one when memory runs out. */
const NEVER = "-1000";

export interface MachineOptions extends Omit<LaunchOptions, "join"> {
  bwrap: string;
  view: View;
  watchdog: Watchdog;
}

/**
 * The namespaces of a sandbox, held open by a process that is the first in them. Every other
 * process joins these: they see each other, and a server of one is there for the next.
 */
export class Machine {
  /** The first process, as the host numbers it. */
  readonly pid: number;
  readonly #child: ChildProcess;
  readonly #startTime: string | null;
  readonly #over: Promise<void>;
  readonly #watchdog: Watchdog;

  private constructor(parts: {
    pid: number;
    child: ChildProcess;
    over: Promise<void>;
    watchdog: Watchdog;
  }) {
    this.pid = parts.pid;
    this.#child = parts.child;
    this.#startTime = readStartTime(parts.pid);
    this.#over = parts.over;
    this.#watchdog = parts.watchdog;
  }

  static async start({ bwrap, view, watchdog, ...options }: MachineOptions): Promise<Machine> {
    const first = ["--as-pid-1", "--new-session", "--info-fd", "3", "--"];
    const guard = [...first, ...initCommands.hold(INIT)];
    const all = [...ownNamespaces({ dieWithParent: true }), ...viewArguments(view), ...guard];
    const { file, args } = launch([bwrap, ...all], { ...options, join: null });
    const child = spawn(file, args, {
      // What is in here can read bwrap's environment.
      env: {},
      cwd: "/",
      stdio: ["pipe", "pipe", "pipe", "pipe"],
      detached: true,
    });
    const over = new Promise<void>((resolve) => {
      child.once("exit", () => resolve()).once("error", () => resolve());
    });
    if (child.pid) watchdog.watchTree(child.pid);
    const info = child.stdio[3] as Readable;
    child.stdin?.on("error", () => {});
    const complaint = text(child.stderr as Readable).catch(String);
    // Its id is known before its namespaces are complete; its first line comes after that.
    const began = once(child.stdout as Readable, "data").then(() => true);
    const ready = Promise.race([began, over.then(() => false)]);
    const known = inTime(text(info), "start", START_DEADLINE_MS).catch(() => "");
    const isReady = await inTime(ready, "start", START_DEADLINE_MS).catch(() => false);
    child.stdout?.destroy();
    const pid = Number(/"child-pid": (\d+)/.exec(await known)?.[1] ?? 0);
    if (isReady && pid > 0) {
      if (options.entrances.length > 0) for (const one of [child.pid, pid]) spare(one);
      return new Machine({ pid, child, over, watchdog });
    }
    if (pid > 0) killQuietly(pid, "SIGKILL");
    child.kill("SIGKILL");
    if (child.pid) watchdog.releaseTree(child.pid);
    throw new TermRunError("infra", `bwrap could not start: ${(await complaint).trim()}`);
  }

  /** Whether the first process exists, and isn't another one with the same number by now. */
  get isAlive(): boolean {
    return this.#startTime !== null && readStartTime(this.pid) === this.#startTime;
  }

  /**
   * Ends every process in it: the kernel lets the first one go only after all others. Its parent's
   * end doesn't prove that, so the host is asked.
   */
  async end(deadlineMs = END_DEADLINE_MS): Promise<void> {
    if (this.isAlive) killQuietly(this.pid, "SIGKILL");
    try {
      await inTime(Promise.all([this.#awaitFirst(deadlineMs), this.#over]), "end", deadlineMs);
      if (this.#child.pid) this.#watchdog.releaseTree(this.#child.pid);
    } finally {
      // What is stuck must not keep this process from its own end.
      for (const stream of this.#child.stdio) stream?.destroy();
      this.#child.unref();
    }
  }

  async #awaitFirst(deadlineMs: number): Promise<void> {
    const deadline = performance.now() + deadlineMs;
    while (this.isAlive && performance.now() < deadline) await setTimeout(INTERVAL_MS);
  }
}

/** Only root may; elsewhere there is no limit that makes it necessary. */
function spare(pid: number | undefined): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, NEVER);
  } catch {
    // It can still be ended, and then the sandbox says so.
  }
}

function inTime<T>(work: Promise<T>, what: string, milliseconds: number): Promise<T> {
  return pTimeout(work, { milliseconds, message: stuck(what, milliseconds) });
}

function stuck(what: string, milliseconds: number): TermRunError {
  const text = `the sandbox's first process didn't ${what} within ${milliseconds / 1000} s`;
  return new TermRunError("infra", text, {
    hint: "It is stuck in the kernel, or stopped by a frozen cgroup or a debugger.",
  });
}

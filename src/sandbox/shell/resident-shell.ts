import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { TermRunError } from "../../errors.js";
import type { CommandResult, RunOptions } from "../../interfaces.js";
import { OutputBuffer } from "../output.js";
import { MarkScanner } from "./marks.js";
import { commandScript, pingScript, startScript } from "./script.js";

/** A running driver, wherever it runs: bytes in, bytes out, and an end. */
export interface DriverProcess {
  write(text: string): void;
  onData(listener: (bytes: Buffer) => void): void;
  /** Called once, when no more bytes will come. */
  onEnd(listener: () => void): void;
  kill(): void;
}

/** Starts `sh` with these arguments in the sandbox. */
export type StartDriver = (argv: string[]) => Promise<DriverProcess>;

const DRIVER = readFileSync(new URL("./driver.sh", import.meta.url), "utf8");

const START_DEADLINE_MS = 30_000;
const ABORT_DEADLINE_MS = 3_000;
/** Longer scripts are copied as one block instead of line by line. */
const LONG_SCRIPT_BYTES = 4096;

type Mark =
  | { kind: "started"; pid: number; cwd: string }
  | { kind: "done"; id: number; exitCode: number; lastJob: string; cwd: string }
  | { kind: "pong"; id: number }
  | { kind: "ended"; exitCode: number };

/** One shell for a whole trial. It survives whatever a command does to it. */
export class ResidentShell {
  readonly #startDriver: StartDriver;
  readonly #outputLimit: number;
  #driver: DriverProcess | null = null;
  #token = "";
  #shellPid = 0;
  /** The pid of the shell's newest background job. */
  #lastJob = "";
  #lastExitCode = 0;
  #ids = 0;
  #waiters = new Set<(mark: Mark | null) => void>();
  /** Bytes that background jobs print between commands belong to the next one. */
  #output: OutputBuffer;
  #frozen = false;
  #closed = false;
  cwd: string;

  constructor(options: { start: StartDriver; cwd: string; outputLimit: number }) {
    this.#startDriver = options.start;
    this.#outputLimit = options.outputLimit;
    this.#output = new OutputBuffer(options.outputLimit);
    this.cwd = options.cwd;
  }

  /** Starts the driver and a shell in the current directory. */
  async start(): Promise<void> {
    this.#token = randomBytes(12).toString("hex");
    const driver = await this.#startDriver(["-c", DRIVER, "term-run", this.#token]);
    if (this.#closed) {
      driver.kill();
      throw new TermRunError("infra", "the sandbox was closed while its shell started");
    }
    this.#driver = driver;
    const scanner = new MarkScanner(this.#token, {
      output: (bytes) => {
        if (!this.#frozen) this.#output.push(bytes);
      },
      mark: (fields) => this.#notify(parseMark(fields)),
    });
    driver.onData((bytes) => scanner.push(bytes));
    driver.onEnd(() => {
      if (this.#driver === driver) this.#driver = null;
      this.#notify(null);
    });
    await this.#startShell();
  }

  async run(command: string, options: RunOptions): Promise<CommandResult> {
    const began = performance.now();
    options.signal.throwIfAborted();
    if (!this.#driver) await this.start();
    const id = ++this.#ids;
    const ending = this.#waitFor((mark) => isEndOf(mark, id), options);
    this.#driver?.write(`T ${this.#lastJob || 0}\n`);
    this.#send(commandScript(this.#token, id, command, this.#lastExitCode));
    let mark = await ending;
    const timedOut = mark === "timeout";
    let restarted = false;
    if (mark === "timeout") {
      this.#frozen = true;
      mark = await this.#abort();
    }
    if (mark?.kind === "done") {
      this.cwd = mark.cwd || this.cwd;
      this.#lastJob = mark.lastJob;
    } else {
      restarted = true;
      if (mark?.kind === "ended") await this.#startShell();
      else await this.start();
    }
    const exitCode = timedOut ? 124 : mark ? exitCodeOf(mark) : 137;
    this.#lastExitCode = exitCode;
    const { text, totalBytes, cutBytes } = this.#takeOutput();
    return {
      output: timedOut ? withTimeoutNote(text, options.timeoutMs) : text,
      outputBytes: totalBytes,
      cutBytes,
      exitCode,
      timedOut,
      shellRestarted: restarted,
      durationMs: performance.now() - began,
    };
  }

  close(): void {
    this.#closed = true;
    this.#driver?.kill();
    this.#driver = null;
    this.#notify(null);
  }

  async #startShell(): Promise<void> {
    const started = this.#waitFor((mark) => mark === null || mark.kind === "started", {
      timeoutMs: START_DEADLINE_MS,
    });
    this.#send("\n");
    this.#send(startScript(this.#token, this.cwd));
    const mark = await started;
    if (mark === "timeout" || mark?.kind !== "started") {
      const printed = this.#takeOutput().text.slice(-500);
      throw new TermRunError("infra", `no shell could be started in the sandbox: ${printed}`, {
        hint: "The image needs a POSIX shell at /bin/sh and a mounted /proc.",
      });
    }
    this.#shellPid = mark.pid;
    this.#lastJob = "";
    this.cwd = mark.cwd || this.cwd;
  }

  /** Ends a command that ran out of time: first what it started, then its shell, then the driver. */
  async #abort(): Promise<Mark | null> {
    const deadline = { timeoutMs: ABORT_DEADLINE_MS };
    const settled = (mark: Mark | null) => mark === null || mark.kind !== "pong";
    let ending = this.#waitFor(settled, deadline);
    this.#driver?.write(`K ${this.#shellPid}\n`);
    let mark = await ending;
    if (mark !== "timeout" && mark?.kind === "done") {
      // The signal may still be on its way: make sure that the shell outlived it.
      const id = ++this.#ids;
      const pong = this.#waitFor(
        (seen) =>
          seen === null || seen.kind === "ended" || (seen.kind === "pong" && seen.id === id),
        deadline,
      );
      this.#send(pingScript(this.#token, id));
      const answer = await pong;
      if (answer !== "timeout" && answer?.kind === "pong") return mark;
      mark = answer;
    }
    if (mark === "timeout") {
      ending = this.#waitFor(settled, deadline);
      this.#driver?.write(`X ${this.#shellPid}\n`);
      mark = await ending;
    }
    if (mark === "timeout") {
      this.#driver?.kill();
      this.#driver = null;
      return null;
    }
    return mark;
  }

  #send(script: string): void {
    const bytes = Buffer.byteLength(script);
    const lines = script.split("\n").length - 1;
    const frame = bytes > LONG_SCRIPT_BYTES ? `B ${bytes}\n` : `L ${lines}\n`;
    this.#driver?.write(frame + script);
  }

  #takeOutput() {
    const taken = this.#output.read();
    this.#output = new OutputBuffer(this.#outputLimit);
    this.#frozen = false;
    return taken;
  }

  #notify(mark: Mark | null): void {
    for (const waiter of [...this.#waiters]) waiter(mark);
  }

  #waitFor(
    wanted: (mark: Mark | null) => boolean,
    options: { timeoutMs: number; signal?: AbortSignal },
  ): Promise<Mark | null | "timeout"> {
    return new Promise((resolve, reject) => {
      const finish = () => {
        clearTimeout(timer);
        options.signal?.removeEventListener("abort", onAbort);
        this.#waiters.delete(waiter);
      };
      const waiter = (mark: Mark | null) => {
        if (!wanted(mark)) return;
        finish();
        resolve(mark);
      };
      const onAbort = () => {
        finish();
        reject(options.signal?.reason);
      };
      const timer = setTimeout(() => {
        finish();
        resolve("timeout");
      }, options.timeoutMs);
      options.signal?.addEventListener("abort", onAbort, { once: true });
      this.#waiters.add(waiter);
    });
  }
}

function isEndOf(mark: Mark | null, id: number): boolean {
  if (mark === null || mark.kind === "ended") return true;
  return mark.kind === "done" && mark.id === id;
}

function exitCodeOf(mark: Mark): number {
  return mark.kind === "done" || mark.kind === "ended" ? mark.exitCode : 137;
}

function withTimeoutNote(text: string, timeoutMs: number): string {
  const note = `[term-run: the command did not end within ${timeoutMs / 1000} s and was killed]`;
  return text === "" ? note : `${text}\n${note}`;
}

function parseMark(fields: string): Mark | null {
  const [kind, first = "", ...rest] = fields.split(" ");
  if (kind === "s") return { kind: "started", pid: Number(first), cwd: rest.join(" ") };
  if (kind === "p") return { kind: "pong", id: Number(first) };
  if (kind === "x") return { kind: "ended", exitCode: Number(first) };
  const [exitCode, lastJob = "", ...cwd] = rest;
  return {
    kind: "done",
    id: Number(first),
    exitCode: Number(exitCode),
    lastJob,
    cwd: cwd.join(" "),
  };
}

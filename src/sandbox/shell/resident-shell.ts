import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { TermRunError } from "../../errors.js";
import type { CommandResult, RunOptions } from "../../interfaces/index.js";
import { OutputBuffer } from "../output.js";
import { MarkFeed } from "./mark-feed.js";
import { type Mark, MarkScanner, parseMark } from "./marks.js";
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

const START_DEADLINE_MS = 15_000;
const ABORT_DEADLINE_MS = 3_000;
/** Longer scripts are copied as one block instead of line by line. */
const LONG_SCRIPT_BYTES = 4096;
const MAX_TRIES = 3;

/** One shell for a whole trial. It survives whatever a command does to it. */
export class ResidentShell {
  readonly #startDriver: StartDriver;
  readonly #makeRoom: (() => Promise<void>) | undefined;
  readonly #outputLimit: number;
  readonly #feed = new MarkFeed();
  #driver: DriverProcess | null = null;
  #token = "";
  /** null: the driver waits for the order to start a shell. */
  #shellPid: number | null = null;
  /** The pid of the shell's newest background job. */
  #lastJob = "";
  #lastExitCode = 0;
  #ids = 0;
  /** The command that the shell was last seen to begin. */
  #begun = 0;
  /** Bytes that background jobs print between commands belong to the next one. */
  #output: OutputBuffer;
  #frozen = false;
  #closed = false;
  cwd: string;

  constructor(options: {
    start: StartDriver;
    /** Ends all processes of the sandbox: the way out when not even a shell can be started. */
    makeRoom?: () => Promise<void>;
    cwd: string;
    outputLimit: number;
  }) {
    this.#startDriver = options.start;
    this.#makeRoom = options.makeRoom;
    this.#outputLimit = options.outputLimit;
    this.#output = new OutputBuffer(options.outputLimit);
    this.cwd = options.cwd;
  }

  /** Starts the driver and a shell in the current directory. */
  async start(): Promise<void> {
    this.#refuseWhenClosed();
    this.#token = randomBytes(12).toString("hex");
    const driver = await this.#startDriver(["-c", DRIVER, "term-run", this.#token]);
    if (this.#closed) driver.kill();
    this.#refuseWhenClosed();
    this.#driver = driver;
    const scanner = new MarkScanner(this.#token, {
      output: (bytes) => {
        if (!this.#frozen) this.#output.push(bytes);
      },
      mark: (fields) => this.#take(parseMark(fields)),
    });
    driver.onData((bytes) => scanner.push(bytes));
    driver.onEnd(() => {
      if (this.#driver === driver) this.#take(null);
    });
    await this.#startShell();
  }

  async run(command: string, options: RunOptions): Promise<CommandResult> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      options.signal.throwIfAborted();
      if (!this.#driver) await this.start();
      else if (this.#shellPid === null) await this.#startShell();
      const result = await this.#attempt(command, options);
      if (result) return result;
    }
    throw new TermRunError("infra", "the sandbox's shell is killed before it can run a command");
  }

  /** For a shell that is there for one command. */
  async runAndClose(command: string, options: RunOptions): Promise<CommandResult> {
    try {
      await this.start();
      return await this.run(command, options);
    } finally {
      this.close();
    }
  }

  close(): void {
    this.#closed = true;
    this.#driver?.kill();
    this.#take(null);
  }

  /** Runs a command; null when the shell was gone before it could begin. */
  async #attempt(command: string, options: RunOptions): Promise<CommandResult | null> {
    const began = performance.now();
    const id = ++this.#ids;
    const ending = this.#feed.wait((mark) => isEndOf(mark, id), options);
    this.#driver?.write(`T ${this.#lastJob || 0}\n`);
    this.#send(commandScript(this.#token, id, command, this.#lastExitCode));
    let mark = await ending;
    const timedOut = mark === "timeout";
    if (mark === "timeout") {
      this.#frozen = true;
      mark = await this.#abort();
    } else if (mark?.kind !== "done" && this.#begun !== id) return null;
    const shellRestarted = mark?.kind !== "done";
    if (mark?.kind === "done") {
      this.cwd = mark.cwd || this.cwd;
      this.#lastJob = mark.lastJob;
    } else await this.#replaceShell();
    const exitCode = timedOut ? 124 : mark ? exitCodeOf(mark) : 137;
    this.#lastExitCode = exitCode;
    const { text, totalBytes, cutBytes } = this.#takeOutput();
    return {
      output: timedOut ? withTimeoutNote(text, options.timeoutMs) : text,
      outputBytes: totalBytes,
      cutBytes,
      exitCode,
      timedOut,
      shellRestarted,
      durationMs: performance.now() - began,
    };
  }

  async #replaceShell(): Promise<void> {
    try {
      if (this.#driver) await this.#startShell();
      else await this.start();
    } catch (error) {
      this.#refuseWhenClosed();
      if (!this.#makeRoom) throw error;
      await this.#makeRoom();
      await this.start();
    }
  }

  async #startShell(): Promise<void> {
    const started = this.#feed.wait((mark) => mark === null || mark.kind === "started", {
      timeoutMs: START_DEADLINE_MS,
    });
    this.#send(startScript(this.#token, this.cwd));
    const mark = await started;
    this.#refuseWhenClosed();
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
    const settled = (mark: Mark | null) => mark?.kind !== "pong" && mark?.kind !== "begun";
    let ending = this.#feed.wait(settled, deadline);
    this.#driver?.write(`K ${this.#shellPid}\n`);
    let mark = await ending;
    if (mark !== "timeout" && mark?.kind === "done") {
      // The signal may still be on its way: make sure that the shell outlived it.
      const id = ++this.#ids;
      const pong = this.#feed.wait((seen) => isAnswerTo(seen, id), deadline);
      this.#send(pingScript(this.#token, id));
      const answer = await pong;
      if (answer !== "timeout" && answer?.kind === "pong") return mark;
      mark = answer;
    }
    if (mark === "timeout") {
      ending = this.#feed.wait(settled, deadline);
      this.#driver?.write(`X ${this.#shellPid}\n`);
      mark = await ending;
    }
    if (mark !== "timeout") return mark;
    this.#driver?.kill();
    this.#take(null);
    return null;
  }

  #take(mark: Mark | null): void {
    if (mark === null) this.#driver = null;
    if (mark === null || mark.kind === "ended") this.#shellPid = null;
    if (mark?.kind === "begun") this.#begun = mark.id;
    this.#feed.tell(mark);
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

  #refuseWhenClosed(): void {
    if (this.#closed) throw new TermRunError("infra", "the sandbox's shell was closed");
  }
}

function isEndOf(mark: Mark | null, id: number): boolean {
  if (mark === null || mark.kind === "ended") return true;
  return mark.kind === "done" && mark.id === id;
}

function isAnswerTo(mark: Mark | null, id: number): boolean {
  if (mark === null || mark.kind === "ended") return true;
  return mark.kind === "pong" && mark.id === id;
}

function exitCodeOf(mark: Mark): number {
  return mark.kind === "done" || mark.kind === "ended" ? mark.exitCode : 137;
}

function withTimeoutNote(text: string, timeoutMs: number): string {
  const note = `[term-run: the command did not end within ${timeoutMs / 1000} s and was killed]`;
  return text === "" ? note : `${text}\n${note}`;
}

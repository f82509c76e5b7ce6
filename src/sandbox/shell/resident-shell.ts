import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { TermRunError } from "../../errors.js";
import type { CommandResult, RunOptions, SandboxProcess } from "../../interfaces/index.js";
import { OutputBuffer } from "../output.js";
import { commandResult } from "./command-result.js";
import { MarkFeed } from "./mark-feed.js";
import { exitCodeOf, isAnswerTo, isEndOf, type Mark, MarkScanner, parseMark } from "./marks.js";
import { commandScript, framed, pingScript, startScript } from "./script.js";
import { spawnInTime } from "./spawn-in-time.js";

/** Starts a program in the sandbox; killing it also kills its process group. */
type Spawn = (argv: string[]) => Promise<SandboxProcess>;

const DRIVER = readFileSync(new URL("./driver.sh", import.meta.url), "utf8");

const START_DEADLINE_MS = 15_000;
const ABORT_DEADLINE_MS = 3_000;
const LEAVE_DEADLINE = { timeoutMs: 10_000 };
const MAX_TRIES = 3;

/** One shell for a whole trial. It survives whatever a command does to it. */
export class ResidentShell {
  readonly #spawn: Spawn;
  readonly #makeRoom: (() => Promise<void>) | undefined;
  readonly #outputLimitBytes: number;
  readonly #feed = new MarkFeed();
  #driver: SandboxProcess | null = null;
  #token = "";
  /** null: the driver waits for the line that starts a shell. */
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
  #isBusy = false;
  /** The driver's process as the sandbox numbers it, once it has started. */
  driver: { pid: number; startTicks: number } | null = null;
  cwd: string;

  constructor(options: {
    spawn: Spawn;
    /** Ends all processes of the sandbox: the way out when not even a shell can be started. */
    makeRoom?: () => Promise<void>;
    cwd: string;
    outputLimitBytes: number;
  }) {
    this.#spawn = options.spawn;
    this.#makeRoom = options.makeRoom;
    this.#outputLimitBytes = options.outputLimitBytes;
    this.#output = new OutputBuffer(options.outputLimitBytes);
    this.cwd = options.cwd;
  }

  /** Starts the driver and a shell in the current directory. */
  async start(signal: AbortSignal): Promise<void> {
    this.#refuseWhenClosed();
    this.#token = randomBytes(12).toString("hex");
    const argv = ["/bin/sh", "-c", DRIVER, "term-run"];
    const driver = await spawnInTime(() => this.#spawn(argv), signal);
    if (this.#closed) driver.kill();
    this.#refuseWhenClosed();
    this.#driver = driver;
    const scanner = new MarkScanner(this.#token, {
      output: (bytes) => {
        // What a driver prints as it is killed isn't the next one's.
        if (!this.#frozen && this.#driver === driver) this.#output.push(bytes);
      },
      mark: (fields) => this.#take(parseMark(fields)),
    });
    driver.stdin.on("error", () => {});
    // Not as an argument: every process of the sandbox could read that.
    driver.stdin.write(`${this.#token}\n`);
    for (const stream of [driver.stdout, driver.stderr])
      stream.on("data", (bytes) => scanner.push(bytes)).on("error", () => {});
    void driver.exit.then(() => {
      if (this.#driver === driver) this.#take(null);
    });
    await this.#startShell(signal);
  }

  async run(command: string, options: RunOptions): Promise<CommandResult> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      options.signal.throwIfAborted();
      if (!this.#driver) await this.start(options.signal);
      else if (this.#shellPid === null) await this.#startShell(options.signal);
      const result = await this.#attempt(command, options);
      if (result) return result;
    }
    throw new TermRunError(
      "infra",
      "the sandbox's shell keeps being killed before it can run a command",
    );
  }

  /** Ends the shell with the command that it still runs; what is in the background lives on. */
  async leave(): Promise<void> {
    if (this.#isBusy) await this.#abort();
    const driver = this.#driver;
    if (!driver || this.#shellPid === null) return this.close();
    const left = this.#feed.wait((mark) => mark === null || mark.kind === "left", LEAVE_DEADLINE);
    this.#letGo();
    this.#closed = true;
    if ((await left) === "timeout") driver.kill();
  }

  close(): void {
    this.#closed = true;
    this.#endDriver();
  }

  /** Lets the driver end by itself; its output is read for as long as a background job holds it. */
  #letGo(): void {
    this.#frozen = true;
    this.#driver?.stdin.end(`Q ${this.#shellPid}\n`);
    this.#driver = null;
  }

  /** Runs a command; null when the shell was gone before it could begin. */
  async #attempt(command: string, options: RunOptions): Promise<CommandResult | null> {
    options.signal.throwIfAborted();
    const began = performance.now();
    const id = ++this.#ids;
    const ending = this.#feed.wait((mark) => isEndOf(mark, id), options);
    this.#isBusy = true;
    const script = commandScript(this.#token, id, command, this.#lastExitCode);
    this.#write(`T ${this.#lastJob || 0}\n${framed(script)}`);
    let mark = await ending;
    const timedOut = mark === "timeout";
    if (mark === "timeout") {
      this.#frozen = true;
      mark = await this.#abort();
    }
    if (!timedOut && mark?.kind !== "done" && this.#begun !== id) return null;
    const shellRestarted = mark?.kind !== "done";
    if (mark?.kind === "done") {
      this.cwd = mark.cwd || this.cwd;
      this.#lastJob = mark.lastJob;
    } else await this.#replaceShell(options.signal);
    const exitCode = timedOut ? 124 : mark ? exitCodeOf(mark) : 137;
    this.#lastExitCode = exitCode;
    return commandResult(this.#takeOutput(), {
      exitCode,
      timeoutMs: timedOut ? options.timeoutMs : null,
      shellRestarted,
      durationMs: performance.now() - began,
      cwd: this.cwd,
    });
  }

  async #replaceShell(signal: AbortSignal): Promise<void> {
    try {
      if (this.#driver) await this.#startShell(signal);
      else await this.start(signal);
    } catch (error) {
      signal.throwIfAborted();
      this.#refuseWhenClosed();
      if (!this.#makeRoom) throw error;
      await this.#makeRoom();
      await this.start(signal);
    }
  }

  async #startShell(signal: AbortSignal): Promise<void> {
    const isAnswer = (mark: Mark | null) => mark === null || mark.kind === "started";
    const started = this.#feed.wait(isAnswer, { timeoutMs: START_DEADLINE_MS, signal });
    this.#write(framed(startScript(this.#token, this.cwd)));
    const mark = await started.catch((error) => {
      // A shell that is half started can't be used again.
      this.#endDriver();
      throw error;
    });
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
    const ending = this.#feed.wait(settled, deadline);
    this.#write(`K ${this.#shellPid}\n`);
    let mark = await ending;
    if (mark !== "timeout" && mark?.kind === "done") {
      // The signal may still be on its way: make sure that the shell outlived it.
      const id = ++this.#ids;
      const pong = this.#feed.wait((seen) => isAnswerTo(seen, id), deadline);
      this.#write(framed(pingScript(this.#token, id)));
      const answer = await pong;
      if (answer !== "timeout" && answer?.kind === "pong") return mark;
      mark = answer;
    }
    if (mark === "timeout") {
      // The command may end just now, but the order to end its shell stands.
      const isOver = (seen: Mark | null) => seen === null || seen.kind === "ended";
      const over = this.#feed.wait(isOver, deadline);
      this.#write(`X ${this.#shellPid}\n`);
      mark = await over;
    }
    if (mark !== "timeout") return mark;
    this.#endDriver();
    return null;
  }

  #take(mark: Mark | null): void {
    if (mark === null) this.#driver = null;
    if (mark === null || mark.kind === "ended") this.#shellPid = null;
    if (mark?.kind === "begun") this.#begun = mark.id;
    if (mark?.kind !== "begun" && mark?.kind !== "pong") this.#isBusy = false;
    if (mark?.kind === "driver") this.driver = { pid: mark.pid, startTicks: mark.startTicks };
    this.#feed.publish(mark);
  }

  #endDriver(): void {
    this.#driver?.kill();
    this.#take(null);
  }

  #write(text: string): void {
    this.#driver?.stdin.write(text);
  }

  #takeOutput() {
    const taken = this.#output.read();
    this.#output = new OutputBuffer(this.#outputLimitBytes);
    this.#frozen = false;
    return taken;
  }

  #refuseWhenClosed(): void {
    if (this.#closed) throw new TermRunError("infra", "the sandbox's shell was closed");
  }
}

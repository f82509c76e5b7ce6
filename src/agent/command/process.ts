import { setTimeout } from "node:timers/promises";
import { messageOf } from "../../errors.js";
import type { AgentExit } from "../../interfaces/index.js";
import { findDescendants, killMarked, killQuietly, type Watchdog } from "../../process/index.js";
import {
  checkResponse,
  encodeRequest,
  type StepRequest,
  type StepResponse,
} from "../../protocol/index.js";
import { AgentOutput, type Message, type OutputObserver } from "./agent-output.js";
import { type LaunchedAgent, launchAgent } from "./launch.js";
import type { AgentCommand } from "./resolve.js";
import { StderrReader } from "./stderr.js";
import { isWaitingForInput, isWaitingOnlyForInput } from "./waiting.js";

const CLEANUP_MS = 5_000;
const TERM_MS = 5_000;
/** What an agent wrote before it exited may arrive this much later. */
const DRAIN_MS = 500;
const UNCLOSED_ROUNDS = 5;

export interface ProcessOptions {
  command: AgentCommand;
  env: Record<string, string>;
  watchdog: Watchdog;
  observer?: OutputObserver;
  /** Gets each line of stderr. */
  onStderr?(line: string): void;
}

export type Answer =
  | { kind: "response"; response: StepResponse; raw: string }
  | { kind: "invalid"; problem: string; raw: string }
  | { kind: "timeout" }
  /** `how` completes a sentence that begins with "the agent". */
  | { kind: "exited"; how: string };

export interface ProcessExit extends AgentExit {
  /** Why it could not be started, if it couldn't. */
  problem: string | null;
}

/** A running agent: any program that reads JSON lines on stdin and writes JSON lines on stdout. */
export class AgentProcess {
  readonly output: AgentOutput;
  /** Resolves when the program itself has ended; never rejects. */
  readonly exit: Promise<ProcessExit>;
  /** In the environment of every process that it starts. */
  readonly marker: string;
  readonly #child: LaunchedAgent["child"];
  readonly #watchdog: Watchdog;
  readonly #stderr: StderrReader;
  #descendants: number[] = [];
  #ended: Promise<AgentExit> | null = null;

  constructor({ command, env, watchdog, observer, onStderr }: ProcessOptions) {
    const { child, marker } = launchAgent(command, env, watchdog);
    this.#child = child;
    this.#watchdog = watchdog;
    this.marker = marker;
    this.output = new AgentOutput(child.stdout, observer);
    this.#stderr = new StderrReader(child.stderr, onStderr ?? (() => {}));
    child.stdin.on("error", () => {});
    this.exit = exitOf(child);
    // A child process may hold stdout open forever.
    void this.exit.then(() => within(this.output.closed, DRAIN_MS)).then(() => this.output.end());
  }

  /** Also the id of its process group; null if it could not be started. */
  get pid(): number | null {
    return this.#child.pid ?? null;
  }

  /** The end of its stderr. */
  get stderr(): string {
    return this.#stderr.tail;
  }

  send(request: StepRequest): void {
    this.output.startRequest();
    this.#child.stdin.write(encodeRequest(request));
  }

  /** The answer to the last request, or the reason why none comes. */
  async answer(options: { timeoutMs: number; signal: AbortSignal }): Promise<Answer> {
    const deadline = performance.now() + options.timeoutMs;
    for (let quiet = 0; ; ) {
      const timeoutMs = deadline - performance.now();
      const message = await this.output.next({ timeoutMs, signal: options.signal });
      if (message.kind === "timeout") return message;
      if (message.kind === "end") return { kind: "exited", how: await this.#explainEnd() };
      if (message.kind !== "quiet") return readAnswer(message);
      const waiting = await this.isWaiting();
      if (!waiting && ++quiet < UNCLOSED_ROUNDS) continue;
      const unclosed = this.output.giveUp();
      if (unclosed) return readAnswer(unclosed);
      if (waiting) return invalid("what the agent printed is not a JSON object", "");
    }
  }

  /** Whether it seems to wait for a request. */
  async isWaiting(): Promise<boolean> {
    return this.pid !== null && (await isWaitingForInput(this.pid));
  }

  /** Whether it can't answer without another request. */
  async isWaitingOnly(): Promise<boolean> {
    return this.pid !== null && (await isWaitingOnlyForInput(this.pid));
  }

  /** Closes stdin. What runs below the agent is returned, and ended by `end`. */
  async closeInput(): Promise<number[]> {
    // Now, while their parents live: an orphan can't be told apart from any other process.
    if (this.pid !== null) this.#descendants = await findDescendants(this.pid);
    this.#child.stdin.end();
    return this.#descendants;
  }

  /** Ends it with everything that it started: gently, with time to clean up, or immediately. */
  end(options: { gentle: boolean }): Promise<AgentExit> {
    this.#ended ??= this.#end(options.gentle);
    return this.#ended;
  }

  async #end(gentle: boolean): Promise<AgentExit> {
    if (!this.#child.stdin.writableEnded) await this.closeInput();
    const group = this.pid === null ? null : -this.pid;
    const exited = gentle && (await within(this.exit, CLEANUP_MS)) !== null;
    if (!exited && group !== null) {
      killQuietly(group, "SIGTERM");
      await within(this.exit, TERM_MS);
    }
    if (group !== null) killQuietly(group, "SIGKILL");
    for (const pid of this.#descendants) killQuietly(pid, "SIGKILL");
    await killMarked(this.marker);
    this.#watchdog.releaseMarked(this.marker);
    if (this.pid !== null) this.#watchdog.releaseTree(this.pid);
    const exit = await within(this.exit, TERM_MS);
    // No process can write any more, so the stream ends soon.
    await within(this.#stderr.closed, DRAIN_MS);
    this.#child.stdout.destroy();
    this.#child.stderr.destroy();
    return { exitCode: exit?.exitCode ?? null, signal: exit?.signal ?? null };
  }

  async #explainEnd(): Promise<string> {
    const exit = await within(this.exit, DRAIN_MS);
    if (!exit) return "closed its stdout";
    await within(this.#stderr.closed, DRAIN_MS);
    return describeExit(exit);
  }
}

/** Completes a sentence that begins with "the agent". */
export function describeExit({ exitCode, signal, problem }: ProcessExit): string {
  if (problem !== null) return `could not be started: ${problem}`;
  return signal ? `was killed by ${signal}` : `exited with code ${exitCode}`;
}

function readAnswer(message: Message): Answer {
  if (message.kind === "malformed") return invalid(message.problem, message.raw);
  const checked = checkResponse(message.value);
  return checked.ok
    ? { kind: "response", response: checked.response, raw: message.raw }
    : invalid(checked.problem, message.raw);
}

function invalid(problem: string, raw: string): Answer {
  return { kind: "invalid", problem, raw };
}

function exitOf(child: LaunchedAgent["child"]): Promise<ProcessExit> {
  return new Promise((resolve) => {
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal, problem: null }));
    child.once("error", (error) =>
      resolve({ exitCode: null, signal: null, problem: messageOf(error) }),
    );
  });
}

/** null when it takes longer. */
async function within<T>(work: Promise<T>, ms: number): Promise<T | null> {
  const stop = new AbortController();
  const late = setTimeout(ms, null, { signal: stop.signal }).catch(() => null);
  return Promise.race([work, late]).finally(() => stop.abort());
}

import { setTimeout } from "node:timers/promises";
import type { AgentExit } from "../../interfaces/index.js";
import { killQuietly } from "../../process/index.js";
import {
  checkResponse,
  encodeRequest,
  type StepRequest,
  type StepResponse,
} from "../../protocol/index.js";
import { AgentOutput, type Message, type OutputObserver } from "./agent-output.js";
import { type LaunchOptions, launchAgent } from "./launch.js";
import type { LaunchedAgent, ProcessExit } from "./launched.js";
import { StderrReader } from "./stderr.js";
import { isWaitingForInput, isWaitingOnlyForInput } from "./waiting.js";

const CLEANUP_MS = 5_000;
const TERM_MS = 5_000;
/** What an agent wrote before it exited may arrive this much later. */
const DRAIN_MS = 500;
const UNCLOSED_ROUNDS = 5;

export type { ProcessExit };

interface ProcessOptions extends LaunchOptions {
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

/** A running agent: any program that reads JSON lines on stdin and writes JSON lines on stdout. */
export class AgentProcess {
  readonly output: AgentOutput;
  /** Resolves when the program itself has ended; never rejects. */
  readonly exit: Promise<ProcessExit>;
  /** In the environment of every process that it starts. */
  readonly marker: string;
  /** Its id, also that of its process group; null if it could not be started. */
  readonly started: Promise<number | null>;
  readonly #agent: LaunchedAgent;
  readonly #stderr: StderrReader;
  #ended: Promise<AgentExit> | null = null;

  constructor({ observer, onStderr, ...options }: ProcessOptions) {
    const agent = launchAgent(options);
    this.#agent = agent;
    this.marker = agent.marker;
    this.output = new AgentOutput(agent.stdout, observer);
    this.#stderr = new StderrReader(agent.stderr, onStderr ?? (() => {}));
    agent.stdin.on("error", () => {});
    this.started = agent.started;
    this.exit = agent.exit;
    // A child process may hold stdout open forever.
    void this.exit.then(() => within(this.output.closed, DRAIN_MS)).then(() => this.output.end());
  }

  /** The end of its stderr. */
  get stderr(): string {
    return this.#stderr.tail;
  }

  send(request: StepRequest): void {
    this.output.startRequest();
    this.#agent.stdin.write(encodeRequest(request));
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
      // Whoever has just answered waits for a request, too.
      if (await this.output.hasMore()) continue;
      const unclosed = this.output.giveUp();
      if (unclosed) return readAnswer(unclosed);
      if (waiting) return invalid("what the agent printed is not a JSON object", "");
    }
  }

  /** Whether it seems to wait for a request. */
  async isWaiting(): Promise<boolean> {
    const pid = await this.started;
    return pid !== null && (await isWaitingForInput(pid));
  }

  /** Whether it can't answer without another request. */
  async isWaitingOnly(): Promise<boolean> {
    const pid = await this.started;
    return pid !== null && (await isWaitingOnlyForInput(pid));
  }

  /** Closes stdin. What runs below the agent is returned, and ended by `end`. */
  async closeInput(): Promise<number[]> {
    // Now, while their parents live: an orphan can't be told apart from any other process.
    const others = await this.#agent.listOthers();
    this.#agent.stdin.end();
    return others;
  }

  /** Ends it with everything that it started: gently, with time to clean up, or immediately. */
  end(options: { gentle: boolean }): Promise<AgentExit> {
    this.#ended ??= this.#end(options.gentle);
    return this.#ended;
  }

  async #end(gentle: boolean): Promise<AgentExit> {
    if (!this.#agent.stdin.writableEnded) await this.closeInput();
    const exited = gentle && (await within(this.exit, CLEANUP_MS)) !== null;
    if (!exited) {
      const pid = await within(this.started, TERM_MS);
      if (pid !== null) killQuietly(-pid, "SIGTERM");
      await within(this.exit, TERM_MS);
    }
    await this.#agent.end();
    const exit = await within(this.exit, TERM_MS);
    // No process can write any more, so the stream ends soon.
    await within(this.#stderr.closed, DRAIN_MS);
    for (const stream of [this.#agent.stdin, this.#agent.stdout, this.#agent.stderr])
      stream.destroy();
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

/** null when it takes longer. */
async function within<T>(work: Promise<T>, ms: number): Promise<T | null> {
  const stop = new AbortController();
  const late = setTimeout(ms, null, { signal: stop.signal }).catch(() => null);
  return Promise.race([work, late]).finally(() => stop.abort());
}

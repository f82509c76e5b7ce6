import { setTimeout as pause } from "node:timers/promises";
import { AgentProcess, describeExit, type ProcessExit } from "../agent/index.js";
import { TermRunError } from "../errors.js";
import type { AgentMessage, StepRequest } from "../protocol/index.js";
import { findLeftoverProcesses } from "./leftover-processes.js";
import type { Answer, FormatProblems, SessionRecord, Setup } from "./types.js";

const POLL_MS = 30;
const SLOW_POLL_MS = 300;
/** An agent that waits for nothing but input for this long will not answer any more. */
const STUCK_MS = 3_000;
const SHOWN = 200;

/** One process of the agent, and a record of how it behaves. */
export class ObservedAgent {
  readonly formatProblems: FormatProblems = {
    noise: [],
    spread: [],
    crowded: [],
    unterminated: false,
  };
  readonly #process: AgentProcess;
  readonly #signal: AbortSignal;
  #exit: (ProcessExit & { at: number }) | null = null;
  #isClosed = false;

  constructor({ command, env, watchdog, leash, signal }: Setup) {
    this.#signal = signal;
    this.#process = new AgentProcess({
      command,
      env,
      leash,
      watchdog,
      observer: {
        noise: (text) => this.formatProblems.noise.push(clip(text.trim())),
        line: (line, messages) => this.#noteForm(line, messages),
      },
    });
    void this.#process.exit.then((exit) => {
      this.#exit = { ...exit, at: performance.now() };
    });
    void this.#process.output.closed.then(() => {
      this.#isClosed = true;
    });
  }

  /** The end of its stderr. */
  get stderr(): string {
    return this.#process.stderr;
  }

  send(request: StepRequest): void {
    this.#process.send(request);
  }

  /** The answer as the runner reads it, or `silent` as soon as it is clear that none will come. */
  async answer(timeoutMs: number): Promise<Answer> {
    const stop = new AbortController();
    const signal = AbortSignal.any([this.#signal, stop.signal]);
    const watch = this.#untilStuck(signal).then(() => stop.abort());
    try {
      const answer = await this.#process.answer({ timeoutMs, signal });
      this.#check();
      return answer.kind === "timeout" ? this.#giveUp() : answer;
    } catch (error) {
      this.#check();
      if (!stop.signal.aborted) throw error;
      return this.#giveUp();
    } finally {
      stop.abort();
      await watch;
    }
  }

  /** Whether it writes anything at all, while stdin stays open. */
  async writes(timeoutMs: number): Promise<boolean> {
    const { kind } = await this.answer(timeoutMs);
    return kind === "response" || kind === "invalid" || this.#process.output.unterminated;
  }

  /** Until the agent waits for its next request, so that it has written all it wants to. */
  async settle(atMostMs: number): Promise<void> {
    const deadline = performance.now() + atMostMs;
    for (let waiting = 0; waiting < 2 && performance.now() < deadline; ) {
      this.#check();
      if (this.#isClosed) return;
      await pause(POLL_MS);
      waiting = (await this.#process.isWaiting()) ? waiting + 1 : 0;
    }
    await pause(0);
  }

  /** Every message that came without a request, as it was written. */
  takeUnrequested(): string[] {
    return this.#process.output.takeAll().map((message) => clip(message.raw));
  }

  /** Closes stdin, records whether the agent exits by itself and what it leaves, and kills the rest. */
  async close(cleanupMs: number): Promise<Pick<SessionRecord, "exit" | "left">> {
    const { output, marker } = this.#process;
    this.formatProblems.unterminated ||= output.unterminated;
    const below = await this.#process.closeInput();
    const closed = performance.now();
    try {
      await this.#untilExit(cleanupMs);
      if (!this.#exit) return { exit: null, left: null };
      const ms = Math.max(0, this.#exit.at - closed);
      const left = await findLeftoverProcesses(marker, below);
      await output.closed;
      return { exit: { how: describeExit(this.#exit), ms }, left };
    } finally {
      await this.end();
    }
  }

  /** Kills it; safe to call twice. */
  async end(): Promise<void> {
    await this.#process.end({ gentle: false });
  }

  #noteForm(line: string, messages: AgentMessage[]): void {
    const objects = messages.filter((message) => message.kind === "object");
    for (const { raw } of objects)
      if (raw.includes("\n")) this.formatProblems.spread.push(clip(raw));
    if (objects.length > 1) this.formatProblems.crowded.push(clip(line));
  }

  /** No more output is expected: an object that was never closed counts as an invalid answer. */
  #giveUp(): Answer {
    this.formatProblems.unterminated ||= this.#process.output.unterminated;
    const unclosed = this.#process.output.giveUp();
    return unclosed
      ? { kind: "invalid", problem: unclosed.problem, raw: unclosed.raw }
      : { kind: "silent" };
  }

  /** Resolves when the agent is stuck, or the signal is aborted. */
  async #untilStuck(signal: AbortSignal): Promise<void> {
    for (let since: number | null = null; !signal.aborted; ) {
      if (since !== null && performance.now() - since >= STUCK_MS) return;
      await pause(since === null ? SLOW_POLL_MS : POLL_MS * 3, null, { signal }).catch(() => {});
      since = (await this.#process.isWaitingOnly()) ? (since ?? performance.now()) : null;
    }
  }

  async #untilExit(ms: number): Promise<void> {
    const stop = new AbortController();
    const signal = AbortSignal.any([this.#signal, stop.signal]);
    const late = pause(ms, null, { signal }).catch(() => null);
    await Promise.race([this.#process.exit, late]);
    stop.abort();
  }

  #check(): void {
    this.#signal.throwIfAborted();
    if (this.#exit?.problem == null) return;
    throw new TermRunError("agent_unusable", `the agent can't be started: ${this.#exit.problem}`, {
      hint: "Check that it is a program or a script with a #! line that this machine can run.",
    });
  }
}

function clip(text: string): string {
  return text.slice(0, SHOWN);
}

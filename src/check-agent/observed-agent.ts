import { setTimeout as pause } from "node:timers/promises";
import { AgentProcess, describeExit, type ProcessExit } from "../agent/index.js";
import { TermRunError } from "../errors.js";
import type { AgentMessage, StepRequest } from "../protocol/index.js";
import { findLeft } from "./left.js";
import type { Answer, SessionRecord, Setup, Slips } from "./types.js";

const POLL_MS = 30;
const SLOW_POLL_MS = 300;
/** An agent that waits for nothing but input for this long will not answer any more. */
const STUCK_MS = 3_000;
const SHOWN = 200;

/** One process of the agent, with an eye on how it does things. */
export class ObservedAgent {
  readonly slips: Slips = { noise: [], spread: [], crowded: [], unterminated: false };
  readonly #process: AgentProcess;
  readonly #signal: AbortSignal;
  #exit: (ProcessExit & { at: number }) | null = null;
  #isOver = false;

  constructor({ command, env, watchdog, signal }: Setup) {
    this.#signal = signal;
    this.#process = new AgentProcess({
      command,
      env,
      watchdog,
      observer: {
        noise: (text) => this.slips.noise.push(clip(text.trim())),
        line: (line, messages) => this.#noteForm(line, messages),
      },
    });
    void this.#process.exit.then((exit) => {
      this.#exit = { ...exit, at: performance.now() };
    });
    void this.#process.inbox.over.then(() => {
      this.#isOver = true;
    });
  }

  /** The last of its stderr. */
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
    return kind === "response" || kind === "invalid" || this.#process.inbox.unterminated;
  }

  /** Until the agent waits for its next request, so that it has written all it wants to. */
  async settle(atMostMs: number): Promise<void> {
    const deadline = performance.now() + atMostMs;
    for (let waiting = 0; waiting < 2 && performance.now() < deadline; ) {
      this.#check();
      if (this.#isOver) return;
      await pause(POLL_MS);
      waiting = (await this.#process.isWaiting()) ? waiting + 1 : 0;
    }
    await pause(0);
  }

  /** Every message that came without being asked for, as it was written. */
  takeUnasked(): string[] {
    return this.#process.inbox.takeAll().map((message) => clip(message.raw));
  }

  /** Closes stdin, sees whether the agent ends by itself and alone, and leaves nothing behind. */
  async close(cleanupMs: number): Promise<Pick<SessionRecord, "exit" | "left">> {
    const { inbox, marker } = this.#process;
    this.slips.unterminated ||= inbox.unterminated;
    const below = await this.#process.closeInput();
    const closed = performance.now();
    try {
      await this.#untilExit(cleanupMs);
      if (!this.#exit) return { exit: null, left: null };
      const ms = Math.max(0, this.#exit.at - closed);
      const left = await findLeft(marker, below);
      await inbox.over;
      return { exit: { how: describeExit(this.#exit), ms }, left };
    } finally {
      await this.end();
    }
  }

  /** Ends it at once; safe to call twice. */
  async end(): Promise<void> {
    await this.#process.end({ gentle: false });
  }

  #noteForm(line: string, messages: AgentMessage[]): void {
    const objects = messages.filter((message) => message.kind === "object");
    for (const { raw } of objects) if (raw.includes("\n")) this.slips.spread.push(clip(raw));
    if (objects.length > 1) this.slips.crowded.push(clip(line));
  }

  /** No more is to be expected: an object that was never closed is an answer, and a bad one. */
  #giveUp(): Answer {
    this.slips.unterminated ||= this.#process.inbox.unterminated;
    const unclosed = this.#process.inbox.giveUp();
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

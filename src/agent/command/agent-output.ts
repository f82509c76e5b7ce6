import type { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { type AgentMessage, ResponseReader, readLines, tooLong } from "../../protocol/index.js";

/** How long after noise, or in an unclosed object, silence may mean that no answer comes. */
const QUIET_MS = 2_000;
const NEWLINE = 0x0a;
/** Node's timers can't wait longer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** A message that can be an answer. */
export type Message = Exclude<AgentMessage, { kind: "noise" }>;

type Awaited = Message | { kind: "quiet" } | { kind: "end" } | { kind: "timeout" };

/** Sees how the agent writes, not only what. */
export interface OutputObserver {
  /** Skipped: a line that doesn't start an object, or a broken object before a request. */
  noise?(text: string): void;
  /** A line, and the messages that it completed. */
  line?(line: string, messages: AgentMessage[]): void;
}

/**
 * Everything that an agent writes to stdout, in order, for the life of its process: bytes that come
 * early, between two steps, are kept for the next one.
 */
export class AgentOutput {
  /** Resolves when no more will be read. */
  readonly closed: Promise<void>;
  readonly #reader = new ResponseReader();
  readonly #messages: Message[] = [];
  readonly #observer: OutputObserver;
  #finish = () => {};
  #ended = false;
  #lastByte: number = NEWLINE;
  #lastBytesAt = 0;
  #noiseSinceAsked = false;
  #wake: (() => void) | null = null;

  constructor(stdout: Readable, observer: OutputObserver = {}) {
    this.#observer = observer;
    this.closed = new Promise((resolve) => {
      this.#finish = resolve;
    });
    readLines(stdout, {
      line: (line) => this.#add(this.#reader.feed(line), line),
      overflow: () => this.#add([tooLong("")], ""),
      end: () => this.end(),
    });
    stdout.on("data", (chunk: Buffer) => {
      this.#lastByte = chunk.at(-1) ?? this.#lastByte;
      this.#lastBytesAt = performance.now();
    });
  }

  /** The last line has no newline yet, so it may be incomplete. */
  get unterminated(): boolean {
    return this.#lastByte !== NEWLINE;
  }

  /** Called before a new request: what was malformed before can't be its answer. */
  startRequest(): void {
    this.#noiseSinceAsked = false;
    const waiting = this.#messages.splice(0);
    for (const message of waiting) {
      if (message.kind === "malformed") this.#observer.noise?.(message.raw);
      else this.#messages.push(message);
    }
  }

  /** The next message; or `quiet` after a suspicious silence, `end` or `timeout`. */
  async next(options: { timeoutMs: number; signal: AbortSignal }): Promise<Awaited> {
    const deadline = performance.now() + options.timeoutMs;
    for (;;) {
      options.signal.throwIfAborted();
      const message = this.#messages.shift();
      if (message) return message;
      if (this.#ended) return { kind: "end" };
      const now = performance.now();
      if (now >= deadline) return { kind: "timeout" };
      const unsure = this.#noiseSinceAsked || this.#reader.unclosed !== null;
      const quietAt = this.#lastBytesAt + QUIET_MS;
      if (unsure && now >= quietAt) {
        this.#lastBytesAt = now;
        return { kind: "quiet" };
      }
      await this.#sleep(Math.min(deadline, unsure ? quietAt : deadline) - now, options.signal);
    }
  }

  /** Whether more has come by now: what is in the pipe is read in the event loop's next turns. */
  async hasMore(): Promise<boolean> {
    const before = this.#lastBytesAt;
    await setImmediate();
    await setImmediate();
    return this.#messages.length > 0 || this.#lastBytesAt !== before;
  }

  /** All messages that were not read yet. */
  takeAll(): Message[] {
    return this.#messages.splice(0);
  }

  /** Gives up on an unclosed object and returns what it holds so far. */
  giveUp(): Extract<Message, { kind: "malformed" }> | null {
    const [dropped] = this.#reader.drop();
    return dropped?.kind === "malformed" ? dropped : null;
  }

  /** Stops reading, even if a process still holds the stream open. */
  end(): void {
    if (this.#ended) return;
    this.#add(this.#reader.drop(), "");
    this.#ended = true;
    this.#finish();
    this.#wake?.();
  }

  #add(messages: AgentMessage[], line: string): void {
    if (this.#ended) return;
    this.#observer.line?.(line, messages);
    for (const message of messages) {
      if (message.kind !== "noise") this.#messages.push(message);
      else {
        this.#noiseSinceAsked = true;
        this.#observer.noise?.(message.text);
      }
    }
    if (messages.length > 0 || this.#reader.unclosed !== null) this.#wake?.();
  }

  #sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", done);
        this.#wake = null;
        resolve();
      };
      const timer = setTimeout(done, Math.max(1, Math.min(Math.ceil(ms), MAX_TIMER_MS)));
      signal.addEventListener("abort", done, { once: true });
      this.#wake = done;
    });
  }
}

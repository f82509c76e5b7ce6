import type { Readable } from "node:stream";
import { type AgentMessage, ResponseReader, readLines, tooLong } from "../../protocol/index.js";

/** How long after noise, or in an unclosed object, silence may mean that no answer comes. */
const QUIET_MS = 2_000;
const NEWLINE = 0x0a;
/** Node's timers can't wait longer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** A message that can be an answer. */
export type Message = Exclude<AgentMessage, { kind: "noise" }>;

type Awaited = Message | { kind: "quiet" } | { kind: "end" } | { kind: "timeout" };

/** Sees how the agent writes, beside what it writes. */
export interface InboxObserver {
  /** Passed over: a line that starts no object, or a broken object that nobody asked for. */
  noise?(text: string): void;
  /** A line, and the messages that it completed. */
  line?(line: string, messages: AgentMessage[]): void;
}

/**
 * Everything that an agent wrote, in order. One for the life of its process: bytes that came
 * early, between two steps, are kept for the next one.
 */
export class Inbox {
  /** Resolves when no more will be read. */
  readonly over: Promise<void>;
  readonly #reader = new ResponseReader();
  readonly #messages: Message[] = [];
  readonly #observer: InboxObserver;
  #finish = () => {};
  #ended = false;
  #lastByte: number = NEWLINE;
  #lastBytesAt = 0;
  #noiseSinceAsked = false;
  #wake: (() => void) | null = null;

  constructor(stdout: Readable, observer: InboxObserver = {}) {
    this.#observer = observer;
    this.over = new Promise((resolve) => {
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

  /** The last line that came has no newline yet, so nobody knows whether it is complete. */
  get unterminated(): boolean {
    return this.#lastByte !== NEWLINE;
  }

  /** A new request: what was malformed before it can't be its answer. */
  open(): void {
    this.#noiseSinceAsked = false;
    const waiting = this.#messages.splice(0);
    for (const message of waiting) {
      if (message.kind === "malformed") this.#observer.noise?.(message.raw);
      else this.#messages.push(message);
    }
  }

  /** The next message; or that it has been quiet for long enough to wonder, or that none comes. */
  async next(options: { timeoutMs: number; signal: AbortSignal }): Promise<Awaited> {
    const deadline = performance.now() + options.timeoutMs;
    for (;;) {
      options.signal.throwIfAborted();
      const message = this.#messages.shift();
      if (message) return message;
      if (this.#ended) return { kind: "end" };
      const now = performance.now();
      if (now >= deadline) return { kind: "timeout" };
      const restless = this.#noiseSinceAsked || this.#reader.unclosed !== null;
      const quietAt = this.#lastBytesAt + QUIET_MS;
      if (restless && now >= quietAt) {
        this.#lastBytesAt = now;
        return { kind: "quiet" };
      }
      await this.#sleep(Math.min(deadline, restless ? quietAt : deadline) - now, options.signal);
    }
  }

  /** All messages that nobody has asked for so far. */
  takeAll(): Message[] {
    return this.#messages.splice(0);
  }

  /** What an unclosed object holds so far, given up as an answer. */
  giveUp(): Extract<Message, { kind: "malformed" }> | null {
    const [dropped] = this.#reader.drop();
    return dropped?.kind === "malformed" ? dropped : null;
  }

  /** No more is read, although somebody may hold the stream open. */
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

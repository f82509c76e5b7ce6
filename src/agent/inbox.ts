import type { Readable } from "node:stream";
import { readLines } from "../protocol/lines.js";
import { type AgentMessage, ResponseReader, tooLong } from "../protocol/reader.js";

/** How long after noise, or in an unclosed object, silence may mean that no answer comes. */
const QUIET_MS = 2_000;

type Awaited = AgentMessage | { kind: "quiet" } | { kind: "end" } | { kind: "timeout" };

/**
 * Everything an agent wrote, in order. One reader for the whole trial: bytes that came early,
 * between two steps, are kept for the next one.
 */
export class Inbox {
  readonly #reader = new ResponseReader();
  readonly #messages: AgentMessage[] = [];
  readonly #onNoise: (text: string) => void;
  #ended = false;
  #lastBytes = 0;
  #noiseSinceAsked = false;
  #wake: (() => void) | null = null;

  constructor(stdout: Readable, onNoise: (text: string) => void) {
    this.#onNoise = onNoise;
    readLines(stdout, {
      line: (line) => this.#add(this.#reader.feed(line)),
      overflow: () => this.#add([tooLong("")]),
      end: () => {
        this.#add(this.#reader.drop());
        this.#ended = true;
        this.#wake?.();
      },
    });
    stdout.on("data", () => {
      this.#lastBytes = performance.now();
    });
  }

  /** A new question: what was malformed before it can't be its answer. */
  open(): void {
    this.#noiseSinceAsked = false;
    for (let at = this.#messages.length - 1; at >= 0; at--) {
      const message = this.#messages[at];
      if (message?.kind !== "malformed") continue;
      this.#messages.splice(at, 1);
      this.#onNoise(message.raw);
    }
  }

  /** What an unclosed object holds so far, given up as an answer. */
  giveUp(): AgentMessage | null {
    return this.#reader.drop()[0] ?? null;
  }

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
      const quietAt = this.#lastBytes + QUIET_MS;
      if (restless && now >= quietAt) {
        this.#lastBytes = now;
        return { kind: "quiet" };
      }
      await this.#sleep(Math.min(deadline, restless ? quietAt : deadline) - now, options.signal);
    }
  }

  #add(messages: AgentMessage[]): void {
    for (const message of messages) {
      if (message.kind !== "noise") this.#messages.push(message);
      else {
        this.#noiseSinceAsked = true;
        this.#onNoise(message.text);
      }
    }
    if (messages.length > 0) this.#wake?.();
    else if (this.#reader.unclosed !== null) this.#wake?.();
  }

  #sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", done);
        this.#wake = null;
        resolve();
      };
      const timer = setTimeout(done, Math.max(1, Math.ceil(ms)));
      signal.addEventListener("abort", done, { once: true });
      this.#wake = done;
    });
  }
}

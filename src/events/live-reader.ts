import type { Event } from "./types.js";

/** How much is buffered for a reader before it has to read from the files. */
const MAX_EVENTS = 1000;
const MAX_BYTES = 4 * 1024 * 1024;

/** Buffers a stream's new events for one reader. A reader that is too slow loses the buffer. */
export class LiveReader {
  readonly #waiting: { event: Event; bytes: number }[] = [];
  #bytes = 0;
  #isBehind = false;
  #wake: (() => void) | null = null;

  /** True once the buffer overflowed: the events are in the files. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  push(event: Event, bytes: number): void {
    if (this.#isBehind) return;
    this.#waiting.push({ event, bytes });
    this.#bytes += bytes;
    if (this.#waiting.length > MAX_EVENTS || this.#bytes > MAX_BYTES) {
      this.#isBehind = true;
      this.#waiting.length = 0;
    }
    this.wake();
  }

  take(): Event | null {
    const next = this.#waiting.shift();
    if (!next) return null;
    this.#bytes -= next.bytes;
    return next.event;
  }

  wake(): void {
    this.#wake?.();
  }

  /** Resolves when there may be something to take. */
  async wait(): Promise<void> {
    if (this.#waiting.length > 0 || this.#isBehind) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#wake = null;
  }
}

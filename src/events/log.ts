import { createWriteStream, type WriteStream } from "node:fs";
import type { Emit, EmitRun, Event } from "./types.js";

/** Appends events to a file as they happen and hands them to whoever listens. */
export class EventLog {
  readonly #file: WriteStream;
  readonly #listen: (event: Event) => void;
  readonly #redact: (text: string) => string;
  #problem: Error | null = null;

  constructor(options: {
    path: string;
    listen: (event: Event) => void;
    redact: (text: string) => string;
  }) {
    this.#file = createWriteStream(options.path, { flags: "a" });
    this.#file.on("error", (error) => {
      this.#problem ??= error;
    });
    this.#listen = options.listen;
    this.#redact = options.redact;
  }

  emitRun: EmitRun = (body) => this.#append({ time: now(), ...body } as Event);

  emitFor(trial: string): Emit {
    return (body) => this.#append({ time: now(), trial, ...body } as Event);
  }

  /** Resolves once everything is in the file. */
  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#file.end(() => resolve());
      this.#file.once("error", () => resolve());
    });
    if (this.#problem) throw this.#problem;
  }

  #append(event: Event): void {
    const line = this.#redact(JSON.stringify(event));
    this.#file.write(`${line}\n`);
    this.#listen(JSON.parse(line) as Event);
  }
}

function now(): string {
  return new Date().toISOString();
}

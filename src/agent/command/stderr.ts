import type { Readable } from "node:stream";
import split2 from "split2";

const TAIL_LENGTH = 2_000;
const MAX_LINE_LENGTH = 1_000_000;

/** Reads an agent's stderr all the time, because a full pipe would freeze the agent. */
export class StderrReader {
  /** Resolves at the end of the stream. */
  readonly over: Promise<void>;
  #tail = "";

  constructor(stream: Readable, onLine: (line: string) => void) {
    const splitter = split2({ maxLength: MAX_LINE_LENGTH, skipOverflow: true } as object);
    this.over = new Promise((resolve) => splitter.once("end", resolve));
    splitter.on("data", (line: string) => {
      onLine(line);
      this.#tail = `${this.#tail}${line}\n`.slice(-TAIL_LENGTH);
    });
    stream.on("error", () => {});
    stream.once("close", () => splitter.end());
    stream.pipe(splitter);
  }

  /** The last of it. */
  get tail(): string {
    return this.#tail.trim();
  }
}

import type { Readable } from "node:stream";
import split2 from "split2";

const TAIL_LENGTH = 2_000;
const MAX_LINE_LENGTH = 1_000_000;

/** Reads an agent's stderr continuously, because a full pipe would block the agent. */
export class StderrReader {
  /** Resolves at the end of the stream. */
  readonly closed: Promise<void>;
  #tail = "";

  constructor(stream: Readable, onLine: (line: string) => void) {
    const splitter = split2({ maxLength: MAX_LINE_LENGTH, skipOverflow: true } as object);
    this.closed = new Promise((resolve) => splitter.once("end", resolve));
    splitter.on("data", (line: string) => {
      onLine(line);
      this.#tail = lastLines(`${this.#tail}${line}\n`);
    });
    stream.on("error", () => {});
    stream.once("close", () => splitter.end());
    stream.pipe(splitter);
  }

  /** The last lines. */
  get tail(): string {
    return this.#tail.trim();
  }
}

/** Whole lines, where they aren't too long: half a secret could not be redacted. */
function lastLines(text: string): string {
  const tail = text.slice(-TAIL_LENGTH);
  return tail.length < text.length ? tail.slice(tail.indexOf("\n") + 1) || tail : tail;
}

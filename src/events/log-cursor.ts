import { type FileHandle, open } from "node:fs/promises";

const CHUNK_BYTES = 64 * 1024;
const NEWLINE = 0x0a;
const POSITION = /^\{"position":(\d+),/;

/** Walks through a log line by line. A truncated last line is ignored. */
export class LogCursor {
  readonly #file: FileHandle;
  #bytes: Buffer = Buffer.alloc(0);
  line = "";
  /** Of the current line; Infinity at the end of the log. */
  position = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** At the first line of a log; null if there is no such file. */
  static async open(path: string): Promise<LogCursor | null> {
    const file = await open(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return null;
      throw error;
    });
    if (!file) return null;
    const cursor = new LogCursor(file);
    await cursor.advance();
    return cursor;
  }

  async advance(): Promise<void> {
    for (;;) {
      const line = await this.#nextLine();
      if (line === null) {
        this.position = Number.POSITIVE_INFINITY;
        return;
      }
      const [, position] = POSITION.exec(line.toString("latin1", 0, 40)) ?? [];
      if (position === undefined) continue;
      this.position = Number(position);
      this.line = line.toString("utf8");
      return;
    }
  }

  /** To the first line after a position. */
  async skipTo(position: number): Promise<this> {
    while (this.position <= position) await this.advance();
    return this;
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  async #nextLine(): Promise<Buffer | null> {
    for (let from = 0; ; ) {
      const end = this.#bytes.indexOf(NEWLINE, from);
      if (end !== -1) {
        const line = this.#bytes.subarray(0, end);
        this.#bytes = this.#bytes.subarray(end + 1);
        return line;
      }
      from = this.#bytes.length;
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const { bytesRead } = await this.#file.read(chunk, 0, CHUNK_BYTES);
      if (bytesRead === 0) return null;
      this.#bytes = Buffer.concat([this.#bytes, chunk.subarray(0, bytesRead)]);
    }
  }
}

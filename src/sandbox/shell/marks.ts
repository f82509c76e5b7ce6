const NUL = 0;

/** Splits a byte stream into output and the driver's marks, wherever the chunks are cut. */
export class MarkScanner {
  readonly #prefix: Buffer;
  readonly #onOutput: (bytes: Buffer) => void;
  readonly #onMark: (fields: string) => void;
  #held: Buffer = Buffer.alloc(0);

  constructor(
    token: string,
    handlers: { output: (bytes: Buffer) => void; mark: (fields: string) => void },
  ) {
    this.#prefix = Buffer.from(`\0\x1e${token} `);
    this.#onOutput = handlers.output;
    this.#onMark = handlers.mark;
  }

  push(chunk: Buffer): void {
    let bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    for (;;) {
      const start = bytes.indexOf(this.#prefix);
      if (start === -1) {
        const cut = bytes.length - this.#possibleStart(bytes);
        this.#output(bytes.subarray(0, cut));
        this.#held = bytes.subarray(cut);
        return;
      }
      this.#output(bytes.subarray(0, start));
      const end = bytes.indexOf(NUL, start + this.#prefix.length);
      if (end === -1) {
        this.#held = bytes.subarray(start);
        return;
      }
      this.#onMark(bytes.toString("utf8", start + this.#prefix.length, end));
      bytes = bytes.subarray(end + 1);
    }
  }

  #output(bytes: Buffer): void {
    if (bytes.length > 0) this.#onOutput(bytes);
  }

  /** How many bytes at the end may be the beginning of a mark. */
  #possibleStart(bytes: Buffer): number {
    const from = Math.max(0, bytes.length - this.#prefix.length + 1);
    for (let at = bytes.indexOf(NUL, from); at !== -1; at = bytes.indexOf(NUL, at + 1)) {
      const rest = bytes.subarray(at);
      if (this.#prefix.subarray(0, rest.length).equals(rest)) return rest.length;
    }
    return 0;
  }
}

/** What the driver and its shell report within the output. */
export type Mark =
  /** The driver itself, and when it started: in ticks since the machine's start. */
  | { kind: "driver"; pid: number; startTicks: number }
  | { kind: "started"; pid: number; cwd: string }
  | { kind: "begun"; id: number }
  | { kind: "done"; id: number; exitCode: number; lastJob: string; cwd: string }
  | { kind: "pong"; id: number }
  /** The shell is gone; its keeper waits for the order to start another. */
  | { kind: "ended"; exitCode: number }
  /** The driver ends as it was asked to. */
  | { kind: "left" };

export function parseMark(fields: string): Mark {
  const [kind, first = "", ...rest] = fields.split(" ");
  const number = Number(first);
  if (kind === "i") return { kind: "driver", pid: number, startTicks: Number(rest[0]) };
  if (kind === "q") return { kind: "left" };
  if (kind === "s") return { kind: "started", pid: number, cwd: rest.join(" ") };
  if (kind === "b") return { kind: "begun", id: number };
  if (kind === "p") return { kind: "pong", id: number };
  if (kind === "x") return { kind: "ended", exitCode: number };
  const [exitCode, lastJob = "", ...cwd] = rest;
  return { kind: "done", id: number, exitCode: Number(exitCode), lastJob, cwd: cwd.join(" ") };
}

/** The command with this id has ended, or its shell has. */
export function isEndOf(mark: Mark | null, id: number): boolean {
  if (mark === null || mark.kind === "ended") return true;
  return mark.kind === "done" && mark.id === id;
}

/** The ping with this id is answered, or the shell has ended. */
export function isAnswerTo(mark: Mark | null, id: number): boolean {
  if (mark === null || mark.kind === "ended") return true;
  return mark.kind === "pong" && mark.id === id;
}

export function exitCodeOf(mark: Mark): number {
  return mark.kind === "done" || mark.kind === "ended" ? mark.exitCode : 137;
}

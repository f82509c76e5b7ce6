import type { Readable } from "node:stream";
import { readLines } from "../protocol/lines.js";
import { type AgentMessage, ResponseReader, tooLong } from "../protocol/reader.js";
import type { Slips } from "./types.js";

export type Letter = Exclude<AgentMessage, { kind: "noise" }>;

const SHOWN = 200;
const NEWLINE = 0x0a;

/** What an agent writes, in order, with an eye on how it is written. */
export class Mailbox {
  readonly slips: Slips = { noise: [], spread: [], crowded: [], unterminated: false };
  readonly #reader = new ResponseReader();
  readonly #letters: Letter[] = [];
  readonly #onChange: () => void;
  #lastByte: number = NEWLINE;
  #ended = false;

  constructor(stdout: Readable, onChange: () => void) {
    this.#onChange = onChange;
    readLines(stdout, {
      line: (line) => this.#add(this.#reader.feed(line), line),
      overflow: () => this.#add([tooLong("")], ""),
      end: () => {
        this.#add(this.#reader.drop(), "");
        this.#ended = true;
        onChange();
      },
    });
    stdout.on("data", (chunk: Buffer) => {
      this.#lastByte = chunk.at(-1) ?? this.#lastByte;
    });
  }

  get ended(): boolean {
    return this.#ended;
  }

  get hasBytes(): boolean {
    return this.#letters.length > 0 || this.#lastByte !== NEWLINE;
  }

  next(): Letter | null {
    return this.#letters.shift() ?? null;
  }

  /** Everything that lies here unasked, as it was written. */
  takeAll(): string[] {
    return this.#letters.splice(0).map((letter) => clip(letter.raw));
  }

  /** No more is to be expected: an object that was never closed is an answer, and a bad one. */
  giveUp(): Letter | null {
    this.slips.unterminated ||= this.#lastByte !== NEWLINE;
    this.#add(this.#reader.drop(), "");
    return this.next();
  }

  #add(messages: AgentMessage[], line: string): void {
    for (const message of messages) {
      if (message.kind === "noise") this.slips.noise.push(clip(message.text.trim()));
      else {
        if (message.kind === "object" && message.raw.includes("\n"))
          this.slips.spread.push(clip(message.raw));
        this.#letters.push(message);
      }
    }
    if (messages.filter(({ kind }) => kind === "object").length > 1)
      this.slips.crowded.push(clip(line));
    if (messages.length > 0) this.#onChange();
  }
}

function clip(text: string): string {
  return text.slice(0, SHOWN);
}

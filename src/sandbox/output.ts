/** Keeps the beginning and the end of an output of any length in bounded memory. */
export class OutputBuffer {
  readonly #headLimit: number;
  readonly #tailLimit: number;
  #head: Buffer[] = [];
  #headBytes = 0;
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #total = 0;

  constructor(limitBytes: number) {
    this.#headLimit = Math.ceil(limitBytes / 2);
    this.#tailLimit = Math.floor(limitBytes / 2);
  }

  push(bytes: Buffer): void {
    this.#total += bytes.length;
    const room = this.#headLimit - this.#headBytes;
    if (room > 0) {
      const part = bytes.subarray(0, room);
      this.#head.push(part);
      this.#headBytes += part.length;
      bytes = bytes.subarray(part.length);
    }
    if (bytes.length === 0) return;
    this.#tail.push(bytes);
    this.#tailBytes += bytes.length;
    while (this.#tailBytes - (this.#tail[0]?.length ?? 0) >= this.#tailLimit) {
      this.#tailBytes -= this.#tail.shift()?.length ?? 0;
    }
    // Many tiny chunks would cost more in bookkeeping than in bytes.
    if (this.#tail.length > 256) this.#tail = [Buffer.concat(this.#tail)];
  }

  /** The text, less one final newline, with a marker where bytes were left out. */
  read(): { text: string; totalBytes: number; cutBytes: number } {
    let head = Buffer.concat(this.#head);
    let tail = Buffer.concat(this.#tail);
    const whole = head.length + tail.length === this.#total && tail.length <= this.#tailLimit;
    if (whole) {
      const text = decode(Buffer.concat([head, tail]));
      return { text: text.replace(/\n$/, ""), totalBytes: this.#total, cutBytes: 0 };
    }
    head = head.subarray(0, lastCharacterEnd(head));
    tail = tail.subarray(Math.max(0, tail.length - this.#tailLimit));
    tail = tail.subarray(firstCharacterStart(tail));
    const cutBytes = this.#total - head.length - tail.length;
    const end = decode(tail).replace(/\n$/, "");
    const text = `${decode(head)}\n[term-run: ${cutBytes} bytes of output left out here]\n${end}`;
    return { text, totalBytes: this.#total, cutBytes };
  }
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

function decode(bytes: Buffer): string {
  return decoder.decode(bytes);
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** Where a character begins at or after the start; looks no further than one character is long. */
function firstCharacterStart(bytes: Buffer): number {
  let at = 0;
  while (at < 4 && isContinuation(bytes[at])) at++;
  return at;
}

/** Where the last whole character ends. */
function lastCharacterEnd(bytes: Buffer): number {
  let start = bytes.length - 1;
  while (start > 0 && bytes.length - start < 4 && isContinuation(bytes[start])) start--;
  const lead = bytes[start];
  if (lead === undefined) return 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return start + length > bytes.length ? start : bytes.length;
}

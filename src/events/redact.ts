import { SecretSearch } from "./secret-search.js";

const REPLACEMENT = "[redacted]";
const REPLACED = Buffer.from(REPLACEMENT);

/** Removes known secret values from what is about to be written, in whatever form they are there. */
export class Redactor {
  readonly #inText: SecretSearch;
  readonly #secrets: readonly string[];
  #inBytes: SecretSearch | null = null;

  constructor(secrets: readonly string[] = []) {
    this.#secrets = secrets;
    this.#inText = new SecretSearch(secrets, (text) => text);
  }

  get isIdle(): boolean {
    return this.#inText.longest === 0;
  }

  text(text: string): string {
    if (this.isIdle) return text;
    const spans = this.#inText.inText(text);
    if (spans.length === 0) return text;
    let rest = 0;
    const kept = spans.map(({ start, end }) => {
      const before = text.slice(rest, start);
      rest = end;
      return before;
    });
    return [...kept, text.slice(rest)].join(REPLACEMENT);
  }

  /** The same bytes, if they hold no secret. */
  bytes(bytes: Buffer): Buffer {
    const redaction = this.openStream();
    const pieces = [...redaction.push(bytes), ...redaction.end()];
    return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
  }

  /** For bytes that come in pieces. */
  openStream(): ByteRedaction {
    // Bytes are searched as a text of one character for each.
    this.#inBytes ??= new SecretSearch(this.#secrets, (text) =>
      Buffer.from(text).toString("latin1"),
    );
    return new ByteRedaction(this.#inBytes);
  }

  /** The same value with every string in it redacted, field names too. */
  value<T>(value: T): T {
    return this.isIdle ? value : (this.#redact(value) as T);
  }

  #redact(value: unknown): unknown {
    if (typeof value === "string") return this.text(value);
    if (Array.isArray(value)) return value.map((entry) => this.#redact(entry));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, entry]) => [this.text(name), this.#redact(entry)]),
    );
  }
}

/** Redacts bytes that come in pieces, holding back as much as a secret that has only begun may need. */
export class ByteRedaction {
  readonly #search: SecretSearch;
  #held: Buffer = Buffer.alloc(0);
  /** So much of what is held back belongs to a secret that is replaced already. */
  #covered = 0;

  constructor(search: SecretSearch) {
    this.#search = search;
  }

  /** What can be written by now. */
  push(chunk: Buffer): Buffer[] {
    if (this.#search.longest === 0) return [chunk];
    this.#held = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    return this.#take(this.#held.length - this.#search.longest + 1);
  }

  /** The rest. */
  end(): Buffer[] {
    return this.#take(this.#held.length);
  }

  /** Up to `cut` it is known which secrets start. */
  #take(cut: number): Buffer[] {
    if (cut <= 0) return [];
    const bytes = this.#held;
    const pieces: Buffer[] = [];
    let at = this.#covered;
    for (const { start, end } of this.#search.inBytes(bytes, cut)) {
      // One that overlaps the secret before has no replacement of its own.
      if (start >= at) pieces.push(bytes.subarray(at, start), REPLACED);
      at = Math.max(at, end);
    }
    if (at < cut) pieces.push(bytes.subarray(at, cut));
    at = Math.max(at, cut);
    this.#held = bytes.subarray(cut);
    this.#covered = at - cut;
    return pieces;
  }
}

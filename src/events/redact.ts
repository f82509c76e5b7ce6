const REPLACEMENT = "[redacted]";

/** Removes known secret values from what is about to be written. */
export class Redactor {
  readonly #text: RegExp | null;
  readonly #bytes: RegExp | null;
  /** The longest form of a secret, in bytes. */
  readonly longest: number;

  constructor(secrets: readonly string[] = []) {
    const forms = listForms(secrets);
    const byteForms = listForms(secrets).map((form) => Buffer.from(form).toString("latin1"));
    this.#text = toPattern(forms);
    this.#bytes = toPattern(byteForms);
    this.longest = Math.max(0, ...byteForms.map((form) => form.length));
  }

  get isIdle(): boolean {
    return this.#text === null;
  }

  text(text: string): string {
    return this.#text === null ? text : text.replace(this.#text, REPLACEMENT);
  }

  /** Where secrets occur in a text of one character for each byte. */
  findBytes(latin1: string): { start: number; end: number }[] {
    if (this.#bytes === null) return [];
    return [...latin1.matchAll(this.#bytes)].map(({ index, 0: found }) => {
      return { start: index, end: index + found.length };
    });
  }

  bytes(latin1: string): string {
    return this.#bytes === null ? latin1 : latin1.replace(this.#bytes, REPLACEMENT);
  }

  /** The same value with every string in it redacted, field names too. */
  value<T>(value: T): T {
    return this.#text === null ? value : (this.#redact(value) as T);
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

/** A secret as it is, and as it looks inside JSON. The longest first: one may be part of another. */
function listForms(secrets: readonly string[]): string[] {
  const forms = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  return [...new Set(forms)].filter(Boolean).sort((a, b) => b.length - a.length);
}

function toPattern(forms: string[]): RegExp | null {
  if (forms.length === 0) return null;
  const escaped = forms.map((form) => form.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  return new RegExp(escaped.join("|"), "g");
}

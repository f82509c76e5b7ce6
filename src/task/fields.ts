import { TermRunError } from "../errors.js";

export type Table = Record<string, unknown>;

/** Reads fields of a task.toml; whatever is of the wrong type is an error that names the field. */
export class Fields {
  readonly #file: string;
  readonly #name: string;
  readonly #table: Table;

  constructor(file: string, name: string, table: Table) {
    this.#file = file;
    this.#name = name;
    this.#table = table;
  }

  table(key: string): Fields {
    const value = this.#table[key] ?? {};
    if (typeof value !== "object" || Array.isArray(value)) throw this.wrong(key, "a table", value);
    return new Fields(this.#file, this.#path(key), value as Table);
  }

  raw(key?: string): unknown {
    return key === undefined ? this.#table : this.#table[key];
  }

  string(key: string): string | null {
    const value = this.#table[key];
    if (value === undefined) return null;
    if (typeof value !== "string") throw this.wrong(key, "a string", value);
    return value;
  }

  boolean(key: string): boolean | null {
    const value = this.#table[key];
    if (value === undefined) return null;
    if (typeof value !== "boolean") throw this.wrong(key, "true or false", value);
    return value;
  }

  /** A number above zero. */
  amount(key: string): number | null {
    const value = this.#table[key];
    if (value === undefined) return null;
    const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
    if (typeof number !== "number" || !Number.isFinite(number) || number <= 0)
      throw this.wrong(key, "a number above 0", value);
    return number;
  }

  strings(key: string): Record<string, string> {
    const found = this.table(key).raw() as Table;
    for (const [name, value] of Object.entries(found))
      if (typeof value !== "string") throw this.wrong(`${key}.${name}`, "a string", value);
    return found as Record<string, string>;
  }

  /** `4096`, or the older `"4G"`, in MiB. */
  size(key: string, olderKey: string): number | null {
    const older = this.string(olderKey);
    if (older === null) return this.amount(key);
    const match = /^(\d+(?:\.\d+)?)([GMK])$/i.exec(older.trim());
    if (!match) throw this.wrong(olderKey, 'a size like "4G" or "512M"', older);
    const unit = { G: 1024, M: 1, K: 1 / 1024 }[(match[2] as string).toUpperCase()] as number;
    return Number(match[1]) * unit;
  }

  wrong(key: string, wanted: string, value: unknown): TermRunError {
    const shown = JSON.stringify(value);
    return new TermRunError(
      "task_unreadable",
      `${this.#file}: ${this.#path(key)} must be ${wanted}, not ${shown}`,
    );
  }

  #path(key: string): string {
    return this.#name === "" ? key : `${this.#name}.${key}`;
  }
}

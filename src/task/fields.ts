import type { TermRunError } from "../errors.js";
import type { Document } from "./document.js";
import { findNearest } from "./nearest.js";
import { unreadable } from "./text.js";
import type { Path } from "./toml-lines.js";

export type Table = Record<string, unknown>;

/**
 * Reads the fields of a table; whatever is of the wrong type is an error that names the field.
 * Fields that were never read are unknown, and `unknown` lists them.
 */
export class Fields {
  readonly #document: Document;
  readonly #path: Path;
  readonly #table: Table;
  readonly #known = new Set<string>();
  readonly #children: Fields[] = [];
  readonly #tables = new Map<string, Fields>();

  private constructor(document: Document, path: Path, table: Table) {
    this.#document = document;
    this.#path = path;
    this.#table = table;
  }

  static of(document: Document): Fields {
    const { file, value } = document;
    if (!isTable(value)) throw unreadable(`${file}: must be a table of fields`);
    return new Fields(document, [], value);
  }

  has(key: string): boolean {
    return this.raw(key) !== undefined;
  }

  /** As it is; null, which YAML has, counts as missing. */
  raw(key: string): unknown {
    this.#known.add(key);
    return this.#table[key] ?? undefined;
  }

  /** Marks fields as known without reading them. */
  ignore(...keys: string[]): void {
    for (const key of keys) this.#known.add(key);
  }

  /** The table as it is, whatever its fields. */
  all(): Table {
    this.ignore(...Object.keys(this.#table));
    return this.#table;
  }

  /** The same one each time, so that it knows all fields that were read. */
  table(key: string): Fields {
    const known = this.#tables.get(key);
    if (known) return known;
    const value = this.raw(key) ?? {};
    if (!isTable(value)) throw this.wrong(key, "a table", value);
    const table = this.#child([key], value);
    this.#tables.set(key, table);
    return table;
  }

  /** A table in another form than it is written in. */
  derived(key: string, value: Table): Fields {
    this.ignore(key);
    return this.#child([key], value);
  }

  tables(key: string): Fields[] {
    return this.elements(key).map((value, index) => {
      if (!isTable(value)) throw this.wrong([key, index], "a table", value);
      return this.#child([key, index], value);
    });
  }

  /** A list whose entries are tables, or strings that are short for a table with one field. */
  tablesOr(key: string, short: string | ((text: string) => Table)): Fields[] {
    const longForm = typeof short === "string" ? (text: string) => ({ [short]: text }) : short;
    return this.elements(key).map((value, index) => {
      const table = typeof value === "string" ? longForm(value) : value;
      if (!isTable(table)) throw this.wrong([key, index], "a string or a table", value);
      return this.#child([key, index], table);
    });
  }

  elements(key: string): unknown[] {
    const value = this.raw(key) ?? [];
    if (!Array.isArray(value)) throw this.wrong(key, "a list", value);
    return value;
  }

  string(key: string): string | null {
    return this.#checked(key, "a string", (value) => (typeof value === "string" ? value : null));
  }

  /** A string that must be present and not empty. */
  required(key: string): string {
    const value = this.string(key);
    if (value === null) throw this.problem(key, "is missing");
    if (value.trim() === "") throw this.wrong(key, "a string that isn't empty", value);
    return value;
  }

  boolean(key: string): boolean | null {
    return this.#checked(key, "true or false", (value) =>
      typeof value === "boolean" ? value : null,
    );
  }

  choice<T extends string>(key: string, choices: readonly T[]): T | null {
    const wanted = choices.map((choice) => JSON.stringify(choice)).join(" or ");
    return this.#checked(
      key,
      wanted,
      (value) => choices.find((choice) => choice === value) ?? null,
    );
  }

  /** A number above zero. */
  amount(key: string): number | null {
    return this.#number(key, "a number above 0", (number) => number > 0);
  }

  /** A number of at least zero. */
  number(key: string): number | null {
    return this.#number(key, "a number of at least 0", (number) => number >= 0);
  }

  /** A whole number of at least `least`. */
  count(key: string, least: 0 | 1 = 1): number | null {
    const wanted = least === 0 ? "a whole number of at least 0" : "a whole number above 0";
    return this.#number(key, wanted, (number) => Number.isInteger(number) && number >= least);
  }

  /** A user's name, or number. */
  user(key: string): string | null {
    return this.#checked(key, "a user's name or number", (value) => {
      if (typeof value === "number" && Number.isInteger(value) && value >= 0) return String(value);
      return typeof value === "string" && value !== "" ? value : null;
    });
  }

  list(key: string): string[] {
    return this.elements(key).map((value, index) => {
      if (typeof value !== "string") throw this.wrong([key, index], "a string", value);
      return value;
    });
  }

  strings(key: string): Record<string, string> {
    const found = this.table(key).all();
    for (const [name, value] of Object.entries(found))
      if (typeof value !== "string") throw this.wrong([key, name], "a string", value);
    return found as Record<string, string>;
  }

  /** Names each unknown field here and below, with the known one it may have been meant to be. */
  unknown(misplaced: ReadonlySet<string> = new Set()): string[] {
    const own = Object.keys(this.#table).filter((key) => !this.#known.has(key));
    return [
      ...own.map((key) => this.warning(key, this.#guess(key, misplaced))),
      ...this.#children.flatMap((child) => child.unknown(misplaced)),
    ];
  }

  /** A warning about one field: file, line, field. */
  warning(key: string | Path, text: string): string {
    return `${this.#place(this.#document.label, key)}: ${this.nameOf(key)} ${text}`;
  }

  problem(key: string | Path, text: string): TermRunError {
    return unreadable(`${this.place(key)} ${text}`);
  }

  /** File, line and field, for messages made elsewhere. */
  place(key: string | Path): string {
    return `${this.#place(this.#document.file, key)}: ${this.nameOf(key)}`;
  }

  wrong(key: string | Path, wanted: string, value: unknown): TermRunError {
    return this.problem(key, `must be ${wanted}, not ${JSON.stringify(value)}`);
  }

  nameOf(key: string | Path): string {
    const path = [...this.#path, ...[key].flat()];
    return path
      .map((part) => (typeof part === "number" ? `[${part}]` : `.${part}`))
      .join("")
      .slice(1);
  }

  #child(path: Path, table: Table): Fields {
    const child = new Fields(this.#document, [...this.#path, ...path], table);
    this.#children.push(child);
    return child;
  }

  #checked<T>(key: string, wanted: string, check: (value: unknown) => T | null): T | null {
    const value = this.raw(key);
    if (value === undefined) return null;
    const checked = check(value);
    if (checked === null) throw this.wrong(key, wanted, value);
    return checked;
  }

  #number(key: string, wanted: string, fits: (number: number) => boolean): number | null {
    return this.#checked(key, wanted, (value) => {
      const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
      return typeof number === "number" && Number.isFinite(number) && fits(number) ? number : null;
    });
  }

  #guess(key: string, misplaced: ReadonlySet<string>): string {
    if (misplaced.has(key)) return "has no effect here: it must come before the first [table]";
    const nearest = findNearest(key, this.#known);
    return nearest ? `is not a known field; did you mean ${nearest}?` : "is not a known field";
  }

  #place(file: string, key: string | Path): string {
    const line = this.#document.lineOf([...this.#path, ...[key].flat()]);
    return line === null ? file : `${file}:${line}`;
  }
}

function isTable(value: unknown): value is Table {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date)
  );
}

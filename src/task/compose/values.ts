/** Reads the values that compose files are made of, in all their forms; `null` is one not given. */
import { splitWords } from "../../shell-words.js";
import type { Fields, Table } from "../fields.js";

export function text(fields: Fields, key: string): string | null {
  const value = fields.raw(key);
  if (value === undefined || value === "") return null;
  if (typeof value === "object") throw fields.wrong(key, "a string", value);
  return String(value);
}

export function flag(fields: Fields, key: string): boolean {
  const value = text(fields, key);
  if (value === null) return false;
  const known = { true: true, false: false }[value.toLowerCase()];
  if (known === undefined) throw fields.wrong(key, "true or false", fields.raw(key));
  return known;
}

export function number(fields: Fields, key: string): number | null {
  const value = text(fields, key);
  if (value === null) return null;
  if (!Number.isFinite(Number(value))) throw fields.wrong(key, "a number", fields.raw(key));
  return Number(value);
}

const SIZE = /^(\d+(?:\.\d+)?) ?([kmgtp]?)i?b?$/i;
const UNITS = ["", "k", "m", "g", "t", "p"];

export function bytes(fields: Fields, key: string): number | null {
  const value = text(fields, key);
  if (value === null || value === "-1") return value === null ? null : -1;
  const [, amount, unit = ""] = SIZE.exec(value) ?? [];
  if (amount === undefined) throw fields.wrong(key, "a size such as 512m", fields.raw(key));
  return Math.round(Number(amount) * 1024 ** UNITS.indexOf(unit.toLowerCase()));
}

const DURATION = /^(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h|d|w))+$/;
const NANOSECONDS: Record<string, number> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  h: 3600e9,
  d: 24 * 3600e9,
  w: 7 * 24 * 3600e9,
};

/** In nanoseconds, as the engine wants it. */
export function duration(fields: Fields, key: string): number | null {
  const value = text(fields, key);
  if (value === null || value === "0") return value === null ? null : 0;
  if (!DURATION.test(value)) throw fields.wrong(key, "a duration such as 1m30s", fields.raw(key));
  return [...value.matchAll(/([\d.]+)(\D+)/g)].reduce(
    (sum, [, amount, unit = ""]) => sum + Number(amount) * (NANOSECONDS[unit] ?? 0),
    0,
  );
}

/** A command: a list, or a string that is split as a shell would. */
export function words(fields: Fields, key: string): string[] | null {
  const value = fields.raw(key);
  if (value === undefined) return null;
  return Array.isArray(value) ? strings(fields, key) : splitWords(text(fields, key) ?? "");
}

/** One string, or a list of them. */
export function strings(fields: Fields, key: string): string[] {
  const value = fields.raw(key) ?? [];
  const list = Array.isArray(value) ? value : [value];
  return list.map((entry, index) => {
    if (typeof entry === "object" || entry === undefined)
      throw fields.wrong(Array.isArray(value) ? [key, index] : key, "a string", entry);
    return String(entry);
  });
}

/** A mapping, or a list of `name=value`; null where there is a name alone. */
export function pairs(fields: Fields, key: string): [string, string | null][] {
  const value = fields.raw(key) ?? {};
  if (Array.isArray(value))
    return strings(fields, key).map((entry) => {
      const at = entry.indexOf("=");
      return at === -1 ? [entry, null] : [entry.slice(0, at), entry.slice(at + 1)];
    });
  if (typeof value !== "object") throw fields.wrong(key, "a mapping or a list", value);
  return Object.entries(value as Table).map(([name, entry]) => {
    if (typeof entry === "object" && entry !== null)
      throw fields.wrong([key, name], "a string", entry);
    return [name, entry === null || entry === undefined ? null : String(entry)];
  });
}

/** The same without names alone. */
export function mapping(fields: Fields, key: string): Record<string, string> {
  return Object.fromEntries(pairs(fields, key).map(([name, value]) => [name, value ?? ""]));
}

/** `host:address` and `host=address`, as a list or a mapping, as the engine wants them. */
export function hosts(fields: Fields, key: string): string[] {
  const value = fields.raw(key) ?? [];
  if (typeof value !== "object") throw fields.wrong(key, "a mapping or a list", value);
  const entries = Array.isArray(value)
    ? value.map((entry, index): [string, string] => {
        const [, host, address] = /^([^=:]+)[=:](.+)$/.exec(String(entry)) ?? [];
        if (!host || !address) throw fields.wrong([key, index], "host:address", entry);
        return [host, address];
      })
    : Object.entries(value as Table).flatMap(([host, addresses]) =>
        [addresses].flat().map((address): [string, string] => [host, String(address)]),
      );
  return entries.map(
    ([host, address]) => `${host.trim()}:${address.trim().replace(/^\[(.*)\]$/, "$1")}`,
  );
}

/** The tables of a mapping by their keys; a list of keys, or a key without a value, is an empty one. */
export function tables(fields: Fields, key: string): [string, Fields][] {
  const value = fields.raw(key) ?? {};
  if (Array.isArray(value)) {
    const named = strings(fields, key);
    const empty = fields.derived(key, Object.fromEntries(named.map((name) => [name, {}])));
    return named.map((name) => [name, empty.table(name)]);
  }
  const table = fields.table(key);
  return Object.keys(table.all()).map((name) => [name, table.table(name)]);
}

/** Reads the values that compose files are made of, in all their forms. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

export type Raw = Record<string, unknown>;

/** A mapping, or a list of `NAME=value`; a name alone takes the caller's value. */
export function readMap(raw: unknown): Record<string, string> {
  if (raw === undefined || raw === null) return {};
  const entries = Array.isArray(raw)
    ? raw.map((entry): [string, unknown] => {
        const at = String(entry).indexOf("=");
        return at === -1 ? [String(entry), null] : [entry.slice(0, at), entry.slice(at + 1)];
      })
    : Object.entries(raw as Raw);
  return Object.fromEntries(
    entries
      .map(([key, value]): [string, unknown] => [key, value ?? process.env[key]])
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([key, value]) => [key, String(value)]),
  );
}

export function readEnvFiles(raw: unknown, dir: string): Record<string, string> {
  const files = list(raw).map((entry) => (typeof entry === "string" ? entry : (entry as Raw).path));
  const lines = files.flatMap((file) =>
    readFileSync(resolve(dir, String(file)), "utf8")
      .split(/\r?\n/)
      .filter((line) => /^\w+=/.test(line)),
  );
  return readMap(lines);
}

export function list(raw: unknown): unknown[] {
  if (raw === undefined || raw === null) return [];
  return Array.isArray(raw) ? raw : [raw];
}

export function text(raw: unknown): string | null {
  return raw === undefined || raw === null || raw === "" ? null : String(raw);
}

export function number(raw: unknown): number | null {
  const value = Number(raw);
  return raw === undefined || raw === null || !(value > 0) ? null : value;
}

const UNITS: Record<string, number> = { b: 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 };

export function bytes(raw: unknown): number | null {
  const [, amount = "", unit = "b"] = /^([\d.]+)\s*([bkmg])?b?$/i.exec(String(raw ?? "")) ?? [];
  return amount === "" ? null : Math.round(Number(amount) * (UNITS[unit.toLowerCase()] ?? 1));
}

const DURATIONS: Record<string, number> = { us: 1e3, ms: 1e6, s: 1e9, m: 60e9, h: 3600e9 };

export function nanoseconds(raw: unknown, otherwise: string): number {
  const parts = [...String(raw ?? otherwise).matchAll(/([\d.]+)(us|ms|s|m|h)/g)];
  return parts.reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * (DURATIONS[unit as string] ?? 0),
    0,
  );
}

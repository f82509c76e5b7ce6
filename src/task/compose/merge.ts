import type { Table } from "../fields.js";

/** Fields of which the later one counts as a whole. */
const REPLACED = new Set(["command", "entrypoint", "test"]);
/** Fields in several forms, put into one before they are put together. */
const LISTS = new Set(["dns", "dns_opt", "dns_search", "env_file", "tmpfs"]);
const PAIRS = new Set([
  "environment",
  "labels",
  "annotations",
  "args",
  "sysctls",
  "depends_on",
  "networks",
]);
/** Lists whose later entries replace earlier ones for the same target. */
const TARGETS = new Set(["volumes", "secrets", "configs"]);

/** A service over the one that it extends, by the rules of Compose. */
export function mergeService(base: Table, over: Table): Table {
  const merged = { ...base };
  for (const [key, value] of Object.entries(over))
    merged[key] = key in base ? mergeField(key, base[key], value) : value;
  return merged;
}

function mergeField(key: string, base: unknown, over: unknown): unknown {
  if (over === null || over === undefined) return base;
  if (REPLACED.has(key) || base === null || base === undefined) return over;
  if (key === "build") return mergeService(toBuild(base), toBuild(over));
  if (key === "extra_hosts") return unique([...toHosts(base), ...toHosts(over)], String);
  if (PAIRS.has(key)) return mergeService(toTable(key, base), toTable(key, over));
  if (LISTS.has(key)) return unique([base].flat().concat([over].flat()), JSON.stringify);
  if (Array.isArray(base) && Array.isArray(over))
    return unique([...base, ...over], TARGETS.has(key) ? targetOf : JSON.stringify);
  if (isTable(base) && isTable(over)) return mergeService(base, over);
  return over;
}

function toBuild(value: unknown): Table {
  return isTable(value) ? value : { context: value };
}

function toTable(key: string, value: unknown): Table {
  if (isTable(value)) return value;
  return Object.fromEntries(
    [value].flat().map((entry): [string, unknown] => {
      const [, name = "", rest] = /^([^=]*)(?:=([\s\S]*))?$/.exec(String(entry)) ?? [];
      return [name, rest ?? emptyOf(key)];
    }),
  );
}

/** Hosts as a list: one may have several addresses. */
function toHosts(value: unknown): unknown[] {
  if (!isTable(value)) return [value].flat().map((entry) => String(entry).replace("=", ":"));
  return Object.entries(value).flatMap(([host, addresses]) =>
    [addresses].flat().map((address) => `${host}:${address}`),
  );
}

function emptyOf(key: string): unknown {
  return key === "depends_on" ? { condition: "service_started" } : null;
}

function targetOf(entry: unknown): string {
  if (isTable(entry)) return String(entry.target ?? entry.source);
  const [source, target] = String(entry).split(":");
  return target ?? source ?? "";
}

/** Each once, the last one in the place of the first. */
function unique(list: unknown[], keyOf: (entry: unknown) => string): unknown[] {
  return [...new Map(list.map((entry) => [keyOf(entry), entry])).values()];
}

function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { splitWords } from "../../../shell-words.js";

export type Raw = Record<string, unknown>;

export interface Service {
  name: string;
  image: string | null;
  build: Build | null;
  command: string[] | null;
  entrypoint: string[] | null;
  environment: Record<string, string>;
  workdir: string | null;
  user: string | null;
  hostname: string | null;
  /** Other names that it answers to. */
  aliases: string[];
  networked: boolean;
  dependsOn: { name: string; condition: Condition }[];
  healthcheck: ServiceHealth | null;
  mounts: Mount[];
  capAdd: string[];
  capDrop: string[];
  cpus: number | null;
  memoryBytes: number | null;
  shmBytes: number | null;
}

export interface Build {
  contextDir: string;
  dockerfile: string;
  args: Record<string, string>;
  target: string | null;
}

type Condition = "service_started" | "service_healthy" | "service_completed_successfully";

export type Mount =
  | { kind: "bind"; source: string; target: string; readOnly: boolean }
  | { kind: "volume"; source: string; target: string; readOnly: boolean }
  | { kind: "tmpfs"; target: string };

interface ServiceHealth {
  test: string[];
  intervalNs: number;
  timeoutNs: number;
  startPeriodNs: number;
  retries: number;
}

/** Of no consequence for what a task scores. */
const IGNORED = new Set([
  "container_name",
  "restart",
  "ports",
  "expose",
  "labels",
  "logging",
  "init",
  "stdin_open",
  "tty",
  "platform",
  "pull_policy",
  "stop_grace_period",
  "stop_signal",
  "security_opt",
  "profiles",
  "annotations",
  "attach",
]);
const KNOWN = new Set([
  "image",
  "build",
  "command",
  "entrypoint",
  "environment",
  "env_file",
  "working_dir",
  "user",
  "hostname",
  "networks",
  "network_mode",
  "depends_on",
  "healthcheck",
  "volumes",
  "tmpfs",
  "cap_add",
  "cap_drop",
  "cpus",
  "mem_limit",
  "deploy",
  "shm_size",
]);

export function readService(name: string, raw: Raw, dir: string): Service {
  for (const key of Object.keys(raw))
    if (!KNOWN.has(key) && !IGNORED.has(key) && !key.startsWith("x-"))
      throw new Error(`services.${name}.${key} is not supported`);
  const mode = raw.network_mode;
  if (mode !== undefined && mode !== "none" && mode !== "bridge")
    throw new Error(`services.${name}.network_mode "${mode}" is not supported`);
  const limits = ((raw.deploy as Raw)?.resources as Raw)?.limits as Raw | undefined;
  return {
    name,
    image: text(raw.image),
    build: readBuild(raw.build, dir),
    command: readCommand(raw.command),
    entrypoint: readCommand(raw.entrypoint),
    environment: { ...readEnvFiles(raw.env_file, dir), ...readMap(raw.environment) },
    workdir: text(raw.working_dir),
    user: text(raw.user),
    hostname: text(raw.hostname),
    aliases: [name, text(raw.container_name), ...readAliases(raw.networks)].filter(
      (alias): alias is string => alias !== null,
    ),
    networked: mode !== "none",
    dependsOn: readDependencies(raw.depends_on),
    healthcheck: readHealth(raw.healthcheck),
    mounts: [
      ...list(raw.volumes).map((entry) => readMount(entry, dir)),
      ...list(raw.tmpfs).map((target): Mount => ({ kind: "tmpfs", target: String(target) })),
    ],
    capAdd: list(raw.cap_add).map(String),
    capDrop: list(raw.cap_drop).map(String),
    cpus: number(raw.cpus ?? limits?.cpus),
    memoryBytes: bytes(raw.mem_limit ?? limits?.memory),
    shmBytes: bytes(raw.shm_size),
  };
}

function readBuild(raw: unknown, dir: string): Build | null {
  if (raw === undefined || raw === null) return null;
  const fields = (typeof raw === "string" ? { context: raw } : raw) as Raw;
  return {
    contextDir: resolve(dir, text(fields.context) ?? "."),
    dockerfile: text(fields.dockerfile) ?? "Dockerfile",
    args: readMap(fields.args),
    target: text(fields.target),
  };
}

function readCommand(raw: unknown): string[] | null {
  if (raw === undefined || raw === null) return null;
  return Array.isArray(raw) ? raw.map(String) : splitWords(String(raw));
}

/** A mapping, or a list of `NAME=value`; a name alone takes the caller's value. */
function readMap(raw: unknown): Record<string, string> {
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

function readEnvFiles(raw: unknown, dir: string): Record<string, string> {
  const files = list(raw).map((entry) => (typeof entry === "string" ? entry : (entry as Raw).path));
  const lines = files.flatMap((file) =>
    readFileSync(resolve(dir, String(file)), "utf8")
      .split(/\r?\n/)
      .filter((line) => /^\w+=/.test(line)),
  );
  return readMap(lines);
}

function readAliases(raw: unknown): string[] {
  if (!raw || Array.isArray(raw)) return [];
  return Object.values(raw as Record<string, Raw | null>).flatMap((network) =>
    list(network?.aliases).map(String),
  );
}

function readDependencies(raw: unknown): Service["dependsOn"] {
  if (Array.isArray(raw))
    return raw.map((name) => ({ name: String(name), condition: "service_started" }));
  return Object.entries((raw ?? {}) as Record<string, Raw | null>).map(([name, fields]) => ({
    name,
    condition: (fields?.condition as Condition | undefined) ?? "service_started",
  }));
}

function readHealth(raw: unknown): ServiceHealth | null {
  const fields = (raw ?? null) as Raw | null;
  if (!fields || fields.disable === true || fields.test === undefined) return null;
  const { test } = fields;
  return {
    test: Array.isArray(test) ? test.map(String) : ["CMD-SHELL", String(test)],
    intervalNs: nanoseconds(fields.interval, "30s"),
    timeoutNs: nanoseconds(fields.timeout, "30s"),
    startPeriodNs: nanoseconds(fields.start_period, "0s"),
    retries: Number(fields.retries ?? 3),
  };
}

function readMount(raw: unknown, dir: string): Mount {
  const fields = typeof raw === "string" ? shortMount(raw) : (raw as Raw);
  const target = String(fields.target);
  if (fields.type === "tmpfs") return { kind: "tmpfs", target };
  const source = String(fields.source ?? "");
  const readOnly = fields.read_only === true;
  if (fields.type !== "bind") return { kind: "volume", source, target, readOnly };
  const path = resolve(dir, source);
  if (path.endsWith("docker.sock"))
    throw new Error("the engine's own socket is not given to tasks");
  return { kind: "bind", source: path, target, readOnly };
}

function shortMount(text: string): Raw {
  const [first = "", second, mode] = text.split(":");
  if (second === undefined) return { type: "volume", source: "", target: first };
  const type = /^[./~]/.test(first) ? "bind" : "volume";
  return { type, source: first, target: second, read_only: (mode ?? "").split(",").includes("ro") };
}

function list(raw: unknown): unknown[] {
  if (raw === undefined || raw === null) return [];
  return Array.isArray(raw) ? raw : [raw];
}

function text(raw: unknown): string | null {
  return raw === undefined || raw === null || raw === "" ? null : String(raw);
}

function number(raw: unknown): number | null {
  const value = Number(raw);
  return raw === undefined || raw === null || !(value > 0) ? null : value;
}

const UNITS: Record<string, number> = { b: 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 };

function bytes(raw: unknown): number | null {
  const [, amount = "", unit = "b"] = /^([\d.]+)\s*([bkmg])?b?$/i.exec(String(raw ?? "")) ?? [];
  return amount === "" ? null : Math.round(Number(amount) * (UNITS[unit.toLowerCase()] ?? 1));
}

const DURATIONS: Record<string, number> = { us: 1e3, ms: 1e6, s: 1e9, m: 60e9, h: 3600e9 };

function nanoseconds(raw: unknown, otherwise: string): number {
  const parts = [...String(raw ?? otherwise).matchAll(/([\d.]+)(us|ms|s|m|h)/g)];
  return parts.reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * (DURATIONS[unit as string] ?? 0),
    0,
  );
}

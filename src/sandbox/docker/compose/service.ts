import { splitWords } from "../../../shell-words.js";
import { type Build, readBuild } from "./build.js";
import {
  bytes,
  list,
  nanoseconds,
  number,
  type Raw,
  readEnvFiles,
  readMap,
  text,
} from "./fields.js";
import { type Mount, readMount } from "./mount.js";

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

type Condition = "service_started" | "service_healthy" | "service_completed_successfully";

interface ServiceHealth {
  test: string[];
  intervalNs: number;
  timeoutNs: number;
  startPeriodNs: number;
  retries: number;
}

/** Ignored, because they don't affect the score. */
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

function readCommand(raw: unknown): string[] | null {
  if (raw === undefined || raw === null) return null;
  return Array.isArray(raw) ? raw.map(String) : splitWords(String(raw));
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

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Environment, Healthcheck } from "../../interfaces/index.js";
import { readCompose } from "../compose/read.js";
import { lazyDigest } from "../digest.js";
import type { Fields } from "../fields.js";
import { namesIn, unreadable } from "../text.js";
import { readNetwork } from "./network.js";
import { type Reading, readEnv } from "./reading.js";

const DEFAULT_BUILD_TIMEOUT_SEC = 600;
const COMPOSE = "docker-compose.yaml";
const TRANSPORTS = ["sse", "streamable-http", "http", "stdio"] as const;

/** The fields of an environment section; where its image comes from also depends on a folder. */
export interface Definition extends Omit<Environment, "source" | "filesDir" | "compose"> {
  image: string | null;
  windows: boolean;
}

export function readDefinition(fields: Fields, reading: Reading): Definition {
  const windows = readOs(fields) === "windows";
  const olderNetwork = readOlderNetwork(fields);
  if (windows) reading.unsupported.push("it needs Windows");
  if ((fields.count("gpus", 0) ?? 0) > 0) reading.unsupported.push("it needs a GPU");
  if (fields.has("tpu")) reading.unsupported.push("it needs a TPU");
  if (fields.list("gpu_types").length > 0 && !fields.has("gpus"))
    reading.warnings.push(fields.warning("gpu_types", "has no effect without gpus"));
  readAgentExtras(fields, reading);
  return {
    image: fields.string("docker_image"),
    windows,
    buildTimeoutSec: fields.amount("build_timeout_sec") ?? DEFAULT_BUILD_TIMEOUT_SEC,
    cpus: fields.count("cpus"),
    memoryMb: readSize(fields, "memory_mb", "memory", reading),
    storageMb: readSize(fields, "storage_mb", "storage", reading),
    network: readNetwork(fields) ?? olderNetwork,
    workdir: fields.string("workdir"),
    env: readEnv(fields, reading),
    healthcheck: readHealthcheck(fields),
    hardened: fields.boolean("hardened") ?? false,
  };
}

/** The agent's environment: a ready image, else a Dockerfile, else any Linux. */
export function makeEnvironment(definition: Definition, reading: Reading): Environment {
  const contextDir = join(reading.dir, "environment");
  const file = join(contextDir, COMPOSE);
  const compose = existsSync(file)
    ? { file, service: "main", variables: composeVariables(definition, contextDir), awaited: true }
    : null;
  if (compose && !definition.windows) reading.unsupported.push(...readCompose(compose).refused);
  const { image, windows, ...rest } = definition;
  const source = sourceOf(image, contextDir);
  return {
    ...rest,
    source,
    filesDir: filesDirOf(contextDir, source.kind, compose !== null),
    compose,
  };
}

/** A verifier's own environment, built from the tests' folder. Nothing checks its health. */
export function makeVerifierEnvironment(
  definition: Definition,
  contextDir: string,
  agents: Definition,
  reading: Reading,
): Environment {
  const { image, windows, ...rest } = definition;
  const source = sourceOf(image, contextDir);
  if (existsSync(join(contextDir, COMPOSE)))
    reading.unsupported.push(`services beside the verifier (tests/${COMPOSE}) can't be started`);
  if (source.kind === "portable" && !windows && !isPortable(agents, reading))
    throw unreadable(
      `${join(contextDir, "Dockerfile")} is missing: a separate verifier needs it, or a docker_image`,
    );
  return {
    ...rest,
    buildTimeoutSec: agents.buildTimeoutSec,
    healthcheck: null,
    source,
    filesDir: source.kind === "image" ? filesDirOf(contextDir, "image", false) : null,
    compose: null,
  };
}

function sourceOf(image: string | null, contextDir: string): Environment["source"] {
  if (image !== null) return { kind: "image", image };
  if (existsSync(join(contextDir, "Dockerfile"))) return { kind: "build", contextDir };
  return { kind: "portable" };
}

function isPortable({ image }: Definition, { dir }: Reading): boolean {
  const names = namesIn(join(dir, "environment"));
  return image === null && !names.has("Dockerfile") && !names.has(COMPOSE);
}

export function readHealthcheck(fields: Fields): Healthcheck | null {
  if (!fields.has("healthcheck")) return null;
  const check = fields.table("healthcheck");
  return {
    command: check.required("command"),
    intervalSec: check.number("interval_sec") ?? 5,
    timeoutSec: check.amount("timeout_sec") ?? 30,
    startPeriodSec: check.number("start_period_sec") ?? 0,
    startIntervalSec: check.number("start_interval_sec") ?? 5,
    retries: check.count("retries") ?? 3,
  };
}

function readOs(fields: Fields): string {
  const os = fields.string("os")?.toLowerCase() ?? "linux";
  if (os !== "linux" && os !== "windows")
    throw fields.wrong("os", '"linux" or "windows"', fields.raw("os"));
  return os;
}

function readOlderNetwork(fields: Fields): Environment["network"] {
  const internet = fields.boolean("allow_internet");
  return internet === null ? null : { mode: internet ? "public" : "none" };
}

/** `memory_mb = 4096`, or the older `memory = "4G"`. */
function readSize(fields: Fields, key: string, olderKey: string, reading: Reading): number | null {
  const size = fields.count(key);
  if (typeof fields.raw(olderKey) === "number") {
    const advice = `has no effect as a bare number: write ${key}, or a size like "4G"`;
    reading.warnings.push(fields.warning(olderKey, advice));
    return size;
  }
  const older = fields.string(olderKey);
  if (older === null) return size;
  const match = /^(\d+(?:\.\d+)?)([GMK])$/i.exec(older.trim());
  if (!match) throw fields.wrong(olderKey, 'a size like "4G" or "512M"', older);
  const unit = { G: 1024, M: 1, K: 1 / 1024 }[(match[2] as string).toUpperCase()] as number;
  const megabytes = Math.max(1, Math.floor(Number(match[1]) * unit));
  if (size !== null && size !== megabytes)
    throw fields.problem(olderKey, `is "${older}", but ${key} is ${size}`);
  return megabytes;
}

/** Meant for agents that run inside the sandbox; those that run outside can't use them. */
function readAgentExtras(fields: Fields, reading: Reading): void {
  for (const server of fields.tables("mcp_servers")) {
    server.required("name");
    const transport = server.choice("transport", TRANSPORTS) ?? "sse";
    server.required(transport === "stdio" ? "command" : "url");
    server.list("args");
    server.ignore("url", "command", "headers", "env");
  }
  const used = {
    mcp_servers: fields.elements("mcp_servers").length > 0,
    skills_dir: Boolean(fields.string("skills_dir")),
  };
  for (const [key, isUsed] of Object.entries(used))
    if (isUsed)
      reading.warnings.push(
        fields.warning(key, "is not used: it is for agents that run inside the sandbox"),
      );
}

/** With a ready image the whole folder is copied; `files/` is for tasks that need no image. */
function filesDirOf(
  contextDir: string,
  kind: Environment["source"]["kind"],
  compose: boolean,
): string | null {
  if (kind === "build" || compose) return null;
  const files = join(contextDir, "files");
  if (kind === "portable") return existsSync(files) ? files : null;
  const names = namesIn(contextDir);
  return names.size > 0 && !names.has("Dockerfile") ? contextDir : null;
}

/** What a compose file may refer to, as far as it is known before a trial. */
function composeVariables(definition: Definition, contextDir: string): Record<string, string> {
  const { env, image, cpus, memoryMb } = definition;
  return {
    ...env,
    CONTEXT_DIR: contextDir,
    MAIN_IMAGE_NAME: `hb__${lazyDigest(contextDir)()}`,
    ...(image === null ? {} : { PREBUILT_IMAGE_NAME: image }),
    ...(cpus === null ? {} : { CPUS: String(cpus) }),
    ...(memoryMb === null ? {} : { MEMORY: `${memoryMb}M` }),
    ENV_VERIFIER_LOGS_PATH: "/logs/verifier",
    ENV_AGENT_LOGS_PATH: "/logs/agent",
    ENV_ARTIFACTS_PATH: "/logs/artifacts",
    TEST_DIR: "/tests",
  };
}

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { parse, TomlError } from "smol-toml";
import { messageOf, TermRunError } from "../errors.js";
import type { Task } from "../interfaces.js";
import { digestFolder } from "./digest.js";
import { Fields, type Table } from "./fields.js";
import { fillTemplates } from "./templates.js";

const DEFAULT_VERIFIER_TIMEOUT_SEC = 600;
const DEFAULT_BUILD_TIMEOUT_SEC = 600;
const SCORED = ["task.toml", "instruction.md", "environment", "tests", "solution", "steps"];

/** Reads a task folder in the Harbor layout. */
export async function readTask(dir: string): Promise<Task> {
  const file = join(dir, "task.toml");
  const root = new Fields(file, "", await readToml(file));
  const environment = root.table("environment");
  const verifier = root.table("verifier");
  const testsDir = join(dir, "tests");
  const multiStep = Array.isArray(root.raw("steps"));
  if (!multiStep && !existsSync(join(testsDir, "test.sh")))
    throw unreadable(`${dir}: tests/test.sh is missing: nothing could verify the result`);
  const env = (fields: Fields, name: string) =>
    fillTemplates(fields.strings("env"), `${file}: ${name}.env`);
  return {
    name: root.table("task").string("name") ?? basename(dir),
    dir,
    instruction: multiStep ? "" : await readInstruction(dir),
    digest: await digestFolder(dir, SCORED),
    metadata: root.table("metadata").raw() as Table,
    agentTimeoutSec: root.table("agent").amount("timeout_sec"),
    verifier: {
      timeoutSec: verifier.amount("timeout_sec") ?? DEFAULT_VERIFIER_TIMEOUT_SEC,
      env: env(verifier, "verifier"),
      testsDir,
    },
    environment: {
      source: sourceOf(dir, environment),
      filesDir: existsSync(join(dir, "environment/files")) ? join(dir, "environment/files") : null,
      buildTimeoutSec: environment.amount("build_timeout_sec") ?? DEFAULT_BUILD_TIMEOUT_SEC,
      cpus: environment.amount("cpus"),
      memoryMb: environment.size("memory_mb", "memory"),
      storageMb: environment.size("storage_mb", "storage"),
      internet: environment.boolean("allow_internet"),
      workdir: environment.string("workdir"),
      env: env(environment, "environment"),
    },
    solution: existsSync(join(dir, "solution/solve.sh"))
      ? { dir: join(dir, "solution"), env: env(root.table("solution"), "solution") }
      : null,
    unsupported: findUnsupported(dir, root),
  };
}

async function readToml(file: string): Promise<Table> {
  const text = await readFile(file, "utf8");
  try {
    return parse(text) as Table;
  } catch (error) {
    const place = error instanceof TomlError ? `:${error.line}:${error.column}` : "";
    throw unreadable(`${file}${place}: ${messageOf(error).split("\n")[0]}`);
  }
}

async function readInstruction(dir: string): Promise<string> {
  const file = join(dir, "instruction.md");
  const text = await readFile(file, "utf8").catch(() => null);
  if (text === null) throw unreadable(`${file} is missing`);
  const lines = text.split("\n");
  while (/^(<!--.*canary.*-->|#.*canary.*|\s*)$/i.test(lines[0] ?? "x")) lines.shift();
  const instruction = lines.join("\n").trimEnd();
  if (instruction === "") throw unreadable(`${file} is empty`);
  return instruction;
}

function sourceOf(dir: string, environment: Fields): Task["environment"]["source"] {
  const image = environment.string("docker_image");
  if (image) return { kind: "image", image };
  const contextDir = join(dir, "environment");
  if (existsSync(join(contextDir, "Dockerfile"))) return { kind: "build", contextDir };
  return { kind: "portable" };
}

/** What would give a wrong score if it were passed over. */
function findUnsupported(dir: string, root: Fields): string | null {
  const environment = root.table("environment");
  const verifier = root.table("verifier");
  if (Array.isArray(root.raw("steps"))) return "tasks with several steps are not supported yet";
  if (existsSync(join(dir, "environment/docker-compose.yaml")))
    return "tasks with a docker-compose.yaml are not supported yet";
  if (Number(environment.raw("gpus") ?? 0) > 0) return "it needs a GPU";
  if (String(environment.raw("os") ?? "linux").toLowerCase() !== "linux") return "it needs Windows";
  if (verifier.raw("environment_mode") === "separate" || verifier.raw("environment"))
    return "a verifier in a container of its own is not supported yet";
  const networks = [environment, root.table("agent"), verifier].map((part) =>
    part.raw("network_mode"),
  );
  if (networks.some((mode) => mode !== undefined && mode !== "public"))
    return "network_mode is not supported yet: use allow_internet";
  if (root.table("agent").raw("user") ?? verifier.raw("user"))
    return "running as another user is not supported yet";
  if (environment.raw("healthcheck")) return "health checks are not supported yet";
  return null;
}

function unreadable(message: string): TermRunError {
  return new TermRunError("task_unreadable", message);
}

import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import type { Environment, RewardParser, Solution, Task } from "../interfaces/index.js";
import { readCompose } from "./compose/read.js";
import { lazyDigest } from "./digest.js";
import { readYaml } from "./document.js";
import { Fields, type Table } from "./fields.js";
import { hasWindowsLineEndings, namesIn, unreadable } from "./text.js";

const AGENT_TIMEOUT_SEC = 360;
const TEST_TIMEOUT_SEC = 60;
const BUILD_TIMEOUT_SEC = 600;
const TESTS_PATH = "/tests";
const TEST_SCRIPT = "run-tests.sh";
const COMPOSE = "docker-compose.yaml";
const ROOT = "0";
const PARSERS: RewardParser[] = ["pytest", "swebench", "sweperf", "mlebench", "swelancer"];
const FACTS = ["estimated_duration_sec", "expert_time_estimate_min", "junior_time_estimate_min"];
/** What tmux takes for a key press and not for text. */
const KEY =
  /^(([CMS]-)+.+|Enter|Escape|Tab|BTab|BSpace|Space|Up|Down|Left|Right|Home|End|PageUp|PageDown|PgUp|PgDn|DC|IC|F\d+)$/;

interface Folder {
  dir: string;
  names: Set<string>;
  warnings: string[];
  unsupported: string[];
}

/** Reads a task folder in the layout of Terminal-Bench 1. */
export function readTerminalBenchTask(dir: string): Task {
  const fields = Fields.of(readYaml(join(dir, "task.yaml")));
  const folder: Folder = { dir, names: namesIn(dir), warnings: [], unsupported: [] };
  const digest = lazyDigest(dir);
  fields.ignore("disable_asciinema");
  const instruction = readInstruction(fields);
  checkTests(fields, folder);
  const task: Task = {
    name: basename(dir),
    dir,
    instruction,
    get digest() {
      return digest();
    },
    metadata: readMetadata(fields),
    agentTimeoutSec: fields.amount("max_agent_timeout_sec") ?? AGENT_TIMEOUT_SEC,
    agentUser: null,
    agentNetwork: null,
    verifier: {
      timeoutSec: fields.amount("max_test_timeout_sec") ?? TEST_TIMEOUT_SEC,
      env: { TEST_DIR: TESTS_PATH },
      user: ROOT,
      network: null,
      tests: [
        ...(folder.names.has("tests") ? [{ dir: join(dir, "tests"), only: null }] : []),
        { dir, only: [TEST_SCRIPT] },
      ],
      script: TEST_SCRIPT,
      parser: readParser(fields, folder),
      separate: null,
      processes: "keep",
      sameShell: fields.boolean("run_tests_in_same_shell") ?? false,
      collect: [],
    },
    environment: makeEnvironment(folder),
    solution: readSolution(folder),
    artifacts: [],
    parts: null,
    warnings: [],
    unsupported: null,
  };
  task.warnings = [...folder.warnings, ...fields.unknown()];
  task.unsupported = folder.unsupported.join("; ") || null;
  return task;
}

/** `instruction`, or the description called `base` of an older task. */
function readInstruction(fields: Fields): string {
  const descriptions = fields.tables("descriptions").map((entry) => ({
    key: entry.required("key"),
    description: entry.required("description"),
  }));
  const base = descriptions.find(({ key }) => key === "base") ?? descriptions[0];
  if (!fields.has("instruction") && base) return base.description.trimEnd();
  return fields.required("instruction").trimEnd();
}

function readMetadata(fields: Fields): Table {
  const metadata: Table = {
    difficulty: fields.string("difficulty"),
    category: fields.string("category") ?? "software_engineering",
    tags: fields.list("tags"),
    author_name: fields.string("author_name"),
    author_email: fields.string("author_email"),
  };
  for (const key of FACTS) metadata[key] = fields.number(key);
  return Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== null));
}

function readParser(fields: Fields, folder: Folder): RewardParser {
  const name = fields.string("parser_name") ?? "pytest";
  const parser = PARSERS.find((known) => known === name);
  if (!parser)
    folder.unsupported.push(`it needs the parser ${name} for its tests, which is not supported`);
  return parser ?? "pytest";
}

/** Older tasks could depend on scripts and environments that their folders don't contain. */
function checkTests(fields: Fields, { dir, names, warnings, unsupported }: Folder): void {
  const older = fields.has("descriptions") || fields.has("test_scripts");
  const missing = fields
    .list("test_scripts")
    .filter((name) => !existsSync(join(dir, "tests", name)));
  if (missing.length > 0)
    unsupported.push(`its tests need ${missing.join(" and ")}, missing in its folder`);
  if (fields.string("env_name") !== null)
    unsupported.push("its environment (env_name) is not in its folder");
  if (!names.has(TEST_SCRIPT)) {
    if (!older)
      throw unreadable(`${dir}: ${TEST_SCRIPT} is missing: nothing could verify the result`);
    if (missing.length === 0)
      unsupported.push(`its tests need a ${TEST_SCRIPT}, missing in its folder`);
  }
  if (hasWindowsLineEndings(join(dir, TEST_SCRIPT)))
    warnings.push(`${TEST_SCRIPT} has Windows line endings; bash will fail on them`);
}

function makeEnvironment({ dir, names, unsupported }: Folder): Environment {
  const build = names.has("Dockerfile");
  const compose = names.has(COMPOSE)
    ? {
        file: join(dir, COMPOSE),
        service: "client",
        variables: composeVariables(basename(dir)),
        awaited: false,
      }
    : null;
  if (compose) unsupported.push(...readCompose(compose).refused);
  if (!build && !compose && unsupported.length === 0)
    throw unreadable(`${dir}: it has neither a ${COMPOSE} nor a Dockerfile`);
  return {
    source: build ? { kind: "build", contextDir: dir } : { kind: "portable" },
    filesDir: null,
    compose,
    buildTimeoutSec: BUILD_TIMEOUT_SEC,
    cpus: null,
    memoryMb: null,
    storageMb: null,
    network: null,
    workdir: null,
    env: {},
    healthcheck: null,
    hardened: false,
  };
}

/** What a compose file may refer to, as far as it is known before a trial. */
function composeVariables(name: string): Record<string, string> {
  const prefix = `tb__${name}`.replaceAll(".", "-");
  return {
    T_BENCH_TASK_DOCKER_NAME_PREFIX: prefix,
    T_BENCH_TASK_DOCKER_CLIENT_IMAGE_NAME: `${prefix}__client`,
    T_BENCH_CONTAINER_LOGS_PATH: "/logs",
    T_BENCH_CONTAINER_AGENT_LOGS_PATH: "/agent-logs",
    T_BENCH_TEST_DIR: TESTS_PATH,
  };
}

function readSolution(folder: Folder): Solution | null {
  const { dir, names, warnings } = folder;
  if (names.has("solution.sh")) {
    if (hasWindowsLineEndings(join(dir, "solution.sh")))
      warnings.push("solution.sh has Windows line endings; bash will fail on them");
    return {
      files: { dir, only: ["solution.sh"] },
      run: { script: "solution.sh", alwaysBash: true },
      env: {},
    };
  }
  if (!names.has("solution.yaml")) return null;
  const document = readYaml(join(dir, "solution.yaml"));
  const list = Fields.of({
    ...document,
    value: { commands: document.value },
    lineOf: ([, ...path]) => document.lineOf(path),
  });
  const commands: string[] = [];
  for (const entry of list.tables("commands")) {
    const command = entry.required("command").replace(/\n$/, "");
    entry.ignore("min_timeout_sec", "max_timeout_sec", "block");
    if (KEY.test(command) || entry.boolean("append_enter") === false) {
      warnings.push(`solution.yaml presses keys (${command}), which the oracle can't do`);
      return null;
    }
    commands.push(command);
  }
  return { files: null, run: { commands }, env: {} };
}

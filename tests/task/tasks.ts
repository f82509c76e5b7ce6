import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Environment, Task } from "../../src/interfaces/index.js";

export type Files = Record<string, string | Buffer | null>;

export function makeFolder(): { dir: string; remove: () => void } {
  const dir = mkdtempSync(join(tmpdir(), "tasks-"));
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

const MINIMAL: Files = {
  "task.toml": 'version = "1.0"\n',
  "instruction.md": "Say hello.\n",
  "tests/test.sh": "exit 0\n",
};

const MINIMAL_YAML: Files = {
  "task.yaml": "instruction: Say hello.\ndifficulty: easy\n",
  Dockerfile: "FROM debian\n",
  "run-tests.sh": "true\n",
  "tests/test_outputs.py": "def test_it(): pass\n",
};

/** Writes the smallest task there is; `null` leaves a file out. */
export function writeTask(dir: string, changes: Files = {}): string {
  return writeFiles(dir, { ...MINIMAL, ...changes });
}

/** The same with a task.yaml. */
export function writeYamlTask(dir: string, changes: Files = {}): string {
  return writeFiles(dir, { ...MINIMAL_YAML, ...changes });
}

export function writeFiles(dir: string, files: Files): string {
  for (const [name, content] of Object.entries(files)) {
    if (content === null) continue;
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), content);
  }
  return dir;
}

export const ENVIRONMENT: Environment = {
  source: { kind: "portable" },
  filesDir: null,
  compose: null,
  buildTimeoutSec: 600,
  cpus: null,
  memoryMb: null,
  storageMb: null,
  network: null,
  workdir: null,
  env: {},
  healthcheck: null,
  hardened: false,
};

/** What the smallest task is read as. */
export function minimalTask(dir: string): Omit<Task, "digest"> {
  return {
    name: "hello",
    dir,
    instruction: "Say hello.",
    metadata: {},
    agentTimeoutSec: null,
    agentUser: null,
    agentNetwork: null,
    verifier: {
      timeoutSec: 600,
      env: {},
      user: null,
      network: null,
      tests: [{ dir: join(dir, "tests"), only: null }],
      script: "test.sh",
      parser: "reward",
      separate: null,
      processes: "keep",
      collect: [],
    },
    environment: ENVIRONMENT,
    solution: null,
    artifacts: [],
    parts: null,
    warnings: [],
    unsupported: null,
  };
}

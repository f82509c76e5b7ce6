import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sandbox, SandboxProvider, Task } from "../../src/interfaces/index.js";
import { chooseSandbox, DEFAULT_IMAGE } from "../../src/sandbox/choose.js";

export const docker = process.env.TERM_RUN_TEST_DOCKER !== "skip";
const bubblewrap = process.env.TERM_RUN_TEST_BWRAP !== "skip";

export interface Kind {
  name: string;
  kind: "docker" | "bubblewrap" | "local";
  image: string;
  bash: boolean;
}

/** Every sandbox kind, and in Docker an image for each of the shells. */
export const KINDS: Kind[] = [
  ...(docker
    ? [
        { name: "docker, bash", kind: "docker" as const, image: DEFAULT_IMAGE, bash: true },
        { name: "docker, dash", kind: "docker" as const, image: "term-run-test/dash", bash: false },
        {
          name: "docker, busybox",
          kind: "docker" as const,
          image: "term-run-test/busybox",
          bash: false,
        },
      ]
    : []),
  ...(bubblewrap
    ? [{ name: "bubblewrap", kind: "bubblewrap" as const, image: "", bash: true }]
    : []),
  { name: "local", kind: "local", image: "", bash: true },
];

export function makeTask(changes: Partial<Task["environment"]> = {}): Task {
  const dir = join(tmpdir(), "term-run-no-such-task");
  return {
    name: "test-task",
    dir,
    instruction: "Do it.",
    digest: "0",
    metadata: {},
    agentTimeoutSec: null,
    agentUser: null,
    agentNetwork: null,
    artifacts: [],
    parts: null,
    warnings: [],
    verifier: {
      timeoutSec: 60,
      env: {},
      user: null,
      network: null,
      tests: [{ dir: join(dir, "tests"), only: null }],
      script: "test.sh",
      parser: "reward",
      separate: null,
      collect: [],
    },
    environment: {
      source: { kind: "portable" },
      filesDir: null,
      buildTimeoutSec: 60,
      cpus: null,
      memoryMb: null,
      storageMb: null,
      network: null,
      compose: null,
      healthcheck: null,
      workdir: null,
      env: { GREETING: "hi there" },
      ...changes,
    },
    solution: null,
    unsupported: null,
  };
}

export async function openSandbox(kind: Kind, task = makeTask()): Promise<Sandbox> {
  const provider = await openProvider(kind);
  return provider.create(task, { trial: "t.1", run: "test", signal: new AbortController().signal });
}

export function openProvider(kind: Kind): Promise<SandboxProvider> {
  const options = { defaultImage: kind.image || DEFAULT_IMAGE, outputLimit: 100 * 1024 };
  return chooseSandbox(kind.kind, options);
}

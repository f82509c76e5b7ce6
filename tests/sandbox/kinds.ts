import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sandbox, SandboxProvider, SandboxRequest, Task } from "../../src/interfaces/index.js";
import { Watchdog } from "../../src/process/watchdog.js";
import * as registry from "../../src/sandbox/kinds.js";

const { DEFAULT_IMAGE } = registry;

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

/** Kinds with processes and a file system of their own. */
export const APART = KINDS.filter(({ kind }) => kind !== "local");

/** For tests that don't depend on the sandbox: the one that starts fastest. */
export const LIGHTEST =
  KINDS.find(({ kind }) => kind === "bubblewrap") ?? (KINDS.at(-1) as (typeof KINDS)[number]);

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
      processes: "keep",
      sameShell: false,
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
      hardened: false,
      workdir: null,
      env: { GREETING: "hi there" },
      ...changes,
    },
    solution: null,
    unsupported: null,
  };
}

/** For this test file only: others run at the same time. */
const RUN = `test-${process.pid}`;
export const watchdog = new Watchdog();

export async function openSandbox(
  kind: Kind,
  task = makeTask(),
  signal: AbortSignal = new AbortController().signal,
): Promise<Sandbox> {
  const provider = await openProvider(kind);
  return provider.create(requestFor(task, signal));
}

function requestFor(task: Task, signal: AbortSignal): SandboxRequest {
  return { task, trial: "t.1", run: RUN, outputLimitBytes: 100 * 1024, watchdog, signal };
}

export async function openProvider(kind: Kind): Promise<SandboxProvider> {
  const options = { defaultImage: kind.image || DEFAULT_IMAGE };
  return (await registry.openProvider(kind.kind, options)).provider;
}

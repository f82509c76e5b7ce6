import { spawn } from "node:child_process";
import { chmodSync, cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type AgentEnvironment, filterEnvironment } from "../../src/agent/environment.js";
import { type Approve, SandboxTerminal } from "../../src/agent/terminal.js";
import type { EventBody, TrialEvent } from "../../src/events/types.js";
import type {
  AgentContext,
  CommandResult,
  Limits,
  RunOptions,
  Sandbox,
  Task,
  Turn,
} from "../../src/interfaces/index.js";
import type { Leash } from "../../src/leash/index.js";
import type { Watchdog } from "../../src/process/watchdog.js";

export type Body = EventBody<TrialEvent>;

export interface TurnSettings {
  task?: Partial<Task>;
  limits?: Partial<Limits>;
  timeoutSec?: number | null;
  /** Asked before each command. */
  approve?: Approve;
  sandbox?: Sandbox;
  onEvent?: (event: Body) => void;
  signal?: AbortSignal;
}

const LIMITS: Limits = {
  maxSteps: 7,
  maxInvalid: 3,
  maxIdle: 3,
  stepTimeoutSec: 30,
  commandTimeoutSec: 20,
  timeoutMultiplier: 1,
  outputLimitBytes: 100_000,
};

export function contextFor(
  dir: string,
  watchdog: Watchdog,
  leash: Leash | null = null,
): AgentContext {
  const { signal } = new AbortController();
  return { attempt: 2, sandbox: hostSandbox(dir), watchdog, leash, signal };
}

/** A turn with the real terminal, in a folder of this machine. */
export function turnFor(dir: string, settings: TurnSettings = {}): Turn {
  const { approve, timeoutSec = null, onEvent: emit = () => {} } = settings;
  const limits = { ...LIMITS, ...settings.limits };
  const signal = settings.signal ?? new AbortController().signal;
  const began = performance.now();
  const budget = timeoutSec === null ? Number.POSITIVE_INFINITY : timeoutSec * 1000;
  const timeLeft = () => budget - (performance.now() - began);
  const sandbox = settings.sandbox ?? hostSandbox(dir);
  const asked = approve ? { approve } : {};
  const terminal = new SandboxTerminal({ sandbox, limits, timeLeft, ...asked, emit, signal });
  const task = { name: "hello", solution: null, parts: null, ...settings.task } as Task;
  return { task, terminal, limits, timeoutSec, timeLeft, emit, signal };
}

export function environmentFor(more: NodeJS.ProcessEnv = {}): AgentEnvironment {
  return filterEnvironment({ PATH: process.env.PATH, HOME: process.env.HOME, ...more }, []);
}

/** Runs commands in a folder of this machine: the parts of a sandbox that an agent's work needs. */
export function hostSandbox(dir: string): Sandbox {
  const sandbox: Partial<Sandbox> = {
    kind: "host",
    id: dir,
    workdir: dir,
    cwd: dir,
    path: (path) => join(dir, path),
    run: (command, options) => runOnHost(dir, command, options),
    async upload(from, to, { only, executable = [] } = {}) {
      for (const name of only ?? readdirSync(from))
        cpSync(join(from, name), join(dir, to, name), { recursive: true });
      for (const name of executable) chmodSync(join(dir, to, name), 0o755);
    },
  };
  return sandbox as Sandbox;
}

function runOnHost(dir: string, command: string, options: RunOptions): Promise<CommandResult> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const timeout = Math.ceil(options.timeoutMs);
    const { signal } = options;
    const child = spawn("bash", ["-c", command], {
      cwd: dir,
      timeout,
      signal,
      stdio: ["ignore", "pipe", "pipe"],
      killSignal: "SIGKILL",
    });
    let output = "";
    const add = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout.on("data", add);
    child.stderr.on("data", add);
    child.once("error", reject);
    child.once("close", (code, by) =>
      resolve({
        output: output.replace(/\n$/, ""),
        outputBytes: Buffer.byteLength(output),
        cutBytes: 0,
        exitCode: by ? 124 : (code ?? 1),
        timedOut: by !== null,
        shellRestarted: false,
        durationMs: performance.now() - began,
        cwd: dir,
      }),
    );
  });
}

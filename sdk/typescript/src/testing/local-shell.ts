import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommandOutcome, Shell } from "./shell.js";

/** Keeps the directory and exported variables for the next command, even after `exit`. */
const WRAPPER = `
if [ -f "$1/env" ]; then . "$1/env"; cd "$(cat "$1/cwd")"; fi
trap 'code=$?; export -p > "$1/env"; pwd > "$1/cwd"; exit $code' EXIT
eval "$2"
`;

export interface LocalShellOptions {
  /** Start directory. Default: a temporary directory, removed on close. */
  cwd?: string;
  commandTimeoutMs?: number;
}

/** Runs real commands on this machine, unsandboxed: only for your own agents and tests. */
export async function localShell(options: LocalShellOptions = {}): Promise<LocalShell> {
  const scratch = await mkdtemp(join(tmpdir(), "term-sdk-"));
  const work = join(scratch, "work");
  await mkdir(work);
  return new LocalShell(scratch, options.cwd ?? work, options.commandTimeoutMs ?? 10_000);
}

export class LocalShell implements Shell, AsyncDisposable {
  readonly #scratch: string;
  readonly #timeoutMs: number;
  readonly #groups: number[] = [];
  #cwd: string;

  constructor(scratch: string, cwd: string, timeoutMs: number) {
    this.#scratch = scratch;
    this.#cwd = cwd;
    this.#timeoutMs = timeoutMs;
  }

  get cwd(): string {
    return this.#cwd;
  }

  async run(command: string): Promise<CommandOutcome> {
    const outputFile = join(this.#scratch, "output");
    const exitCode = await this.#spawn(command, outputFile);
    this.#cwd = await this.#readCwd();
    const output = await readFile(outputFile, "utf8");
    return { output: output.replace(/\n$/, ""), exitCode };
  }

  /** Kills leftover processes and removes the scratch directory. */
  async close(): Promise<void> {
    for (const group of this.#groups) killGroup(group);
    await rm(this.#scratch, { recursive: true, force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Output goes to a file, not a pipe, which a background process could hold open. */
  #spawn(command: string, outputFile: string): Promise<number> {
    const file = openSync(outputFile, "w");
    const child = spawn("sh", ["-c", WRAPPER, "sh", this.#scratch, command], {
      cwd: this.#cwd,
      stdio: ["ignore", file, file],
      detached: true,
    });
    closeSync(file);
    if (child.pid !== undefined) this.#groups.push(child.pid);
    return new Promise((resolve, reject) => {
      let timedOut = false;
      const timer = setTimeout(() => {
        timedOut = true;
        if (child.pid !== undefined) killGroup(child.pid);
      }, this.#timeoutMs);
      child.once("error", (error) => {
        clearTimeout(timer);
        reject(error);
      });
      child.once("exit", (code) => {
        clearTimeout(timer);
        resolve(timedOut ? 124 : (code ?? 137));
      });
    });
  }

  async #readCwd(): Promise<string> {
    try {
      return (await readFile(join(this.#scratch, "cwd"), "utf8")).replace(/\n$/, "");
    } catch {
      // A command killed before it could report leaves the directory unchanged.
      return this.#cwd;
    }
  }
}

function killGroup(group: number): void {
  try {
    process.kill(-group, "SIGKILL");
  } catch {
    // Already gone.
  }
}

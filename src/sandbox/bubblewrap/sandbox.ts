import type { CommandResult, ExecOptions, RunOptions, Sandbox } from "../../interfaces.js";
import { removeScratchFolder } from "../folder.js";
import { downloadThrough, type Inside, uploadThrough } from "../host-tar.js";
import { spawnDriver } from "../shell/child-driver.js";
import { ResidentShell } from "../shell/resident-shell.js";
import { quote } from "../shell/script.js";
import { bwrapArguments, SANDBOX_ENV } from "./arguments.js";

/** Files live in a host folder; every process group is a bwrap of its own over that folder. */
export class BubblewrapSandbox implements Sandbox {
  readonly kind = "bubblewrap";
  readonly id: string;
  readonly image = null;
  readonly workdir: string;
  readonly #root: string;
  readonly #env: Record<string, string>;
  readonly #outputLimit: number;
  readonly #shell: ResidentShell;
  #kept = false;
  #closing: Promise<void> | null = null;

  constructor(options: {
    root: string;
    workdir: string;
    env: Record<string, string>;
    outputLimit: number;
  }) {
    this.id = options.root;
    this.workdir = options.workdir;
    this.#root = options.root;
    this.#env = { ...SANDBOX_ENV, ...options.env };
    this.#outputLimit = options.outputLimit;
    this.#shell = this.#newShell({});
  }

  get cwd(): string {
    return this.#shell.cwd;
  }

  path(path: string): string {
    return path;
  }

  async start(): Promise<void> {
    await this.#shell.start();
  }

  run(command: string, options: RunOptions): Promise<CommandResult> {
    return this.#shell.run(command, options);
  }

  async exec(command: string, options: ExecOptions): Promise<CommandResult> {
    const shell = this.#newShell(options);
    try {
      await shell.start();
      return await shell.run(command, options);
    } finally {
      shell.close();
    }
  }

  /** The shell's bwrap holds the process namespace: with it everything inside ends. */
  async endProcesses(): Promise<void> {
    this.#shell.close();
  }

  upload(hostDir: string, path: string): Promise<void> {
    return uploadThrough(this.#inside, hostDir, path);
  }

  download(path: string, hostDir: string): Promise<void> {
    return downloadThrough(this.#inside, path, hostDir);
  }

  async keep(): Promise<{ enter: string; remove: string }> {
    this.#kept = true;
    const args = bwrapArguments({
      root: this.#root,
      cwd: this.cwd,
      env: this.#env,
      dieWithParent: false,
    });
    return {
      enter: ["bwrap", ...args, "/bin/sh", "-i"].map((word) => quoteIfNeeded(word)).join(" "),
      remove: `rm -rf ${quote(this.#root)}`,
    };
  }

  close(): Promise<void> {
    this.#closing ??= this.#release();
    return this.#closing;
  }

  async #release(): Promise<void> {
    this.#shell.close();
    if (!this.#kept) await removeScratchFolder(this.#root);
  }

  #inside: Inside = (argv) => this.#commandLine(argv, "/", this.#env);

  #commandLine(argv: string[], cwd: string, env: Record<string, string>) {
    const args = bwrapArguments({ root: this.#root, cwd, env, dieWithParent: true });
    return { command: "bwrap", args: [...args, ...argv], env: hostEnv() };
  }

  #newShell(options: { cwd?: string; env?: Record<string, string> }): ResidentShell {
    const env = { ...this.#env, ...options.env };
    return new ResidentShell({
      start: (argv) => {
        const { command, args } = this.#commandLine(["/bin/sh", ...argv], "/", env);
        return spawnDriver(command, args, { env: hostEnv() });
      },
      cwd: options.cwd ?? this.workdir,
      outputLimit: this.#outputLimit,
    });
  }
}

/** bwrap itself needs a PATH and nothing else of the caller's. */
function hostEnv(): Record<string, string> {
  return { PATH: process.env.PATH ?? SANDBOX_ENV.PATH };
}

function quoteIfNeeded(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : quote(word);
}

import type {
  AttachOptions,
  CommandResult,
  DownloadOptions,
  ExecOptions,
  RunOptions,
  Sandbox,
} from "../../interfaces/index.js";
import { findProgram } from "../../process/find-program.js";
import { quote } from "../../shell-words.js";
import { removeScratchFolder } from "../folder.js";
import { downloadThrough, type Inside, uploadThrough } from "../host-tar.js";
import { attachChild, INTERACTIVE, TERMINAL } from "../shell/attach.js";
import { spawnDriver } from "../shell/child-driver.js";
import { ResidentShell } from "../shell/resident-shell.js";
import { bwrapArguments, SANDBOX_ENV } from "./arguments.js";

/** Files live in a host folder; every process group is a bwrap of its own over that folder. */
export class BubblewrapSandbox implements Sandbox {
  readonly kind = "bubblewrap";
  readonly id: string;
  readonly image = null;
  readonly workdir: string;
  readonly #bwrap: string;
  readonly #root: string;
  readonly #env: Record<string, string>;
  readonly #outputLimit: number;
  #shell: ResidentShell;
  #kept = false;
  #closing: Promise<void> | null = null;

  constructor(options: {
    /** Its whole path: it gets no environment, which processes inside could read. */
    bwrap: string;
    root: string;
    workdir: string;
    env: Record<string, string>;
    outputLimit: number;
  }) {
    this.id = options.root;
    this.workdir = options.workdir;
    this.#bwrap = options.bwrap;
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

  exec(command: string, options: ExecOptions): Promise<CommandResult> {
    return this.#newShell(options).runAndClose(command, options);
  }

  /** The shell's bwrap holds the process namespace: with it everything inside ends. */
  async endProcesses(): Promise<void> {
    this.#shell.close();
    if (!this.#closing) this.#shell = this.#newShell({});
  }

  upload(hostDir: string, path: string, only?: string[] | null): Promise<void> {
    return uploadThrough(this.#inside, hostDir, path, only);
  }

  download(path: string, hostDir: string, options?: DownloadOptions): Promise<void> {
    return downloadThrough(this.#inside, path, hostDir, options);
  }

  /** `script` makes a terminal inside, which gives the shell job control and its own Ctrl-C. */
  attach(options: AttachOptions): Promise<number> {
    const script = findProgram("script");
    const relays = script !== null && /^\/(usr|bin)\//.test(script);
    const argv = relays ? [script, "-qec", INTERACTIVE, "/dev/null"] : ["/bin/sh", "-i", "+m"];
    const env = { ...this.#env, TERM: TERMINAL };
    return attachChild(this.#commandLine(argv, this.cwd, env), options, { relays });
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
      enter: ["bwrap", ...args, "/bin/sh", "-i", "+m"].map((word) => quoteIfNeeded(word)).join(" "),
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
    return { command: this.#bwrap, args: [...args, ...argv], env: {} };
  }

  #newShell(options: { cwd?: string; env?: Record<string, string> }): ResidentShell {
    const env = { ...this.#env, ...options.env };
    return new ResidentShell({
      start: (argv) => {
        const { command, args } = this.#commandLine(["/bin/sh", ...argv], "/", env);
        return spawnDriver(command, args, { env: {} });
      },
      cwd: options.cwd ?? this.workdir,
      outputLimit: this.#outputLimit,
    });
  }
}

function quoteIfNeeded(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : quote(word);
}

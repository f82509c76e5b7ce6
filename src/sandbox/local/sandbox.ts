import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type {
  AttachOptions,
  CommandResult,
  DownloadOptions,
  ExecOptions,
  RunOptions,
  Sandbox,
} from "../../interfaces/index.js";
import { killMarked, MARKER_VARIABLE } from "../../process/marked.js";
import { watchdog } from "../../process/watchdog.js";
import { quote } from "../../shell-words.js";
import { removeScratchFolder } from "../folder.js";
import { downloadThrough, type Inside, uploadThrough } from "../host-tar.js";
import { attachChild, INTERACTIVE, TERMINAL } from "../shell/attach.js";
import { spawnDriver } from "../shell/child-driver.js";
import { ResidentShell } from "../shell/resident-shell.js";

/** No isolation at all: the bare machine, in a scratch folder that stands for `/`. */
export class LocalSandbox implements Sandbox {
  readonly kind = "local";
  readonly id: string;
  readonly image = null;
  readonly workdir: string;
  readonly #root: string;
  readonly #marker = `0-${randomBytes(8).toString("hex")}`;
  readonly #env: Record<string, string>;
  readonly #outputLimit: number;
  #shell: ResidentShell;
  #kept = false;
  #closing: Promise<void> | null = null;

  constructor(options: {
    root: string;
    workdir: string;
    env: Record<string, string>;
    outputLimit: number;
  }) {
    this.id = options.root;
    this.#root = options.root;
    this.workdir = this.path(options.workdir);
    this.#env = {
      PATH: process.env.PATH ?? "/usr/bin:/bin",
      HOME: join(options.root, "root"),
      LANG: "C.UTF-8",
      TERM: "dumb",
      ...options.env,
      TERM_RUN_ROOT: options.root,
      [MARKER_VARIABLE]: this.#marker,
    };
    this.#outputLimit = options.outputLimit;
    this.#shell = this.#newShell({});
    watchdog.watchMarked(this.#marker);
  }

  get cwd(): string {
    return this.#shell.cwd;
  }

  path(path: string): string {
    return path.startsWith(this.#root) ? path : join(this.#root, path);
  }

  async start(): Promise<void> {
    await mkdir(join(this.#root, "root"), { recursive: true });
    await mkdir(this.workdir, { recursive: true });
    await this.#shell.start();
  }

  run(command: string, options: RunOptions): Promise<CommandResult> {
    return this.#shell.run(command, options);
  }

  exec(command: string, options: ExecOptions): Promise<CommandResult> {
    return this.#newShell(options).runAndClose(command, options);
  }

  async endProcesses(): Promise<void> {
    this.#shell.close();
    await killMarked(this.#marker);
    if (!this.#closing) this.#shell = this.#newShell({});
  }

  upload(hostDir: string, path: string, only?: string[] | null): Promise<void> {
    return uploadThrough(this.#inside, hostDir, this.path(path), only);
  }

  download(path: string, hostDir: string, options?: DownloadOptions): Promise<void> {
    return downloadThrough(this.#inside, this.path(path), hostDir, options);
  }

  attach(options: AttachOptions): Promise<number> {
    const args = ["-c", `cd ${quote(this.cwd)}; ${INTERACTIVE}`];
    const shell = { command: "/bin/sh", args, env: { ...this.#env, TERM: TERMINAL } };
    return attachChild(shell, options, { relays: false });
  }

  async keep(): Promise<{ enter: string; remove: string }> {
    this.#kept = true;
    return { enter: `cd ${quote(this.cwd)}`, remove: `rm -rf ${quote(this.#root)}` };
  }

  close(): Promise<void> {
    this.#closing ??= this.#release();
    return this.#closing;
  }

  async #release(): Promise<void> {
    await this.endProcesses();
    watchdog.releaseMarked(this.#marker);
    if (!this.#kept) await removeScratchFolder(this.#root);
  }

  #inside: Inside = ([command = "/bin/sh", ...args]) => ({ command, args, env: this.#env });

  #newShell(options: { cwd?: string; env?: Record<string, string> }): ResidentShell {
    const env = { ...this.#env, ...options.env };
    return new ResidentShell({
      start: (argv) => spawnDriver("/bin/sh", argv, { env }),
      cwd: options.cwd ?? this.workdir,
      outputLimit: this.#outputLimit,
    });
  }
}

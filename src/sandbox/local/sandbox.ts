import { randomBytes } from "node:crypto";
import { mkdir, realpath } from "node:fs/promises";
import { join, relative } from "node:path";
import { setTimeout } from "node:timers/promises";
import { TermRunError } from "../../errors.js";
import type { FreshFolder, RunningProcess } from "../../interfaces/index.js";
import { findMarked, killQuietly, MARKER_VARIABLE } from "../../process/index.js";
import { quote } from "../../shell-words.js";
import type { HostCommand } from "../host/process.js";
import { type CommandPlace, HostSandbox, type HostSandboxOptions } from "../host/sandbox.js";
import { LOG_FOLDERS } from "../log-folders.js";
import { findInit } from "../native/init.js";

/** How often, at this interval, processes that were killed are looked for again. */
const ROUNDS = 500;
const INTERVAL_MS = 20;

/** No isolation at all: the host itself, with a scratch folder that stands for `/`. */
export class LocalSandbox extends HostSandbox {
  readonly kind = "local";
  protected readonly init = findInit();
  /** Every process inherits it, so that it can be found wherever it hides. */
  readonly #marker: string;

  constructor({ watchdog, ...options }: HostSandboxOptions) {
    const { root } = options;
    const marker = `0-${randomBytes(8).toString("hex")}`;
    super({
      ...options,
      workdir: below(root, options.workdir),
      env: {
        PATH: process.env.PATH ?? "/usr/bin:/bin",
        HOME: join(root, "root"),
        LANG: "C.UTF-8",
        TERM: "dumb",
        ...options.env,
        TERM_RUN_ROOT: root,
        [MARKER_VARIABLE]: marker,
      },
    });
    this.#marker = marker;
    this.teardown.add(() => watchdog.releaseMarked(marker));
    watchdog.watchMarked(marker);
  }

  path(path: string): string {
    return below(this.root, path);
  }

  protected async layOut(): Promise<void> {
    for (const folder of ["root", ...LOG_FOLDERS])
      await mkdir(join(this.root, folder), { recursive: true });
    await mkdir(this.workdir, { recursive: true });
  }

  protected async commandFor(
    [file = "/bin/sh", ...args]: string[],
    place: CommandPlace,
  ): Promise<HostCommand> {
    const { cwd, env } = place;
    return { file, args, env, cwd, kill: (pid) => killQuietly(-pid, "SIGKILL") };
  }

  /** Links are replaced by folders, but none above the scratch folder. */
  override async recreate(folders: readonly FreshFolder[]): Promise<void> {
    const real = await realpath(this.root);
    const inReal = ({ path, mode }: FreshFolder) => {
      return { path: join(real, relative(this.root, path)), mode };
    };
    await super.recreate(folders.map(inReal));
  }

  /** On the host only those that carry the marker are this sandbox's. */
  override async listProcesses(): Promise<RunningProcess[]> {
    const own = new Set(await findMarked(this.#marker));
    return (await super.listProcesses()).filter(({ pid }) => own.has(pid));
  }

  protected endAll(): Promise<void> {
    return this.endOthers([]);
  }

  protected async endOthers(keep: readonly RunningProcess[]): Promise<void> {
    const kept = new Set(keep.map(({ pid }) => pid));
    for (let round = 0; round < ROUNDS; round++) {
      const others = (await findMarked(this.#marker)).filter((pid) => !kept.has(pid));
      if (others.length === 0) return;
      for (const pid of others) killQuietly(pid, "SIGKILL");
      await setTimeout(INTERVAL_MS);
    }
    throw new TermRunError("infra", `processes of the sandbox ${this.id} can't be killed`);
  }

  protected enterCommand(): string {
    return `cd ${quote(this.cwd)}`;
  }
}

function below(root: string, path: string): string {
  return path.startsWith(root) ? path : join(root, path);
}

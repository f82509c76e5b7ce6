import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { TermRunError } from "../../errors.js";
import { findMarked, killMarked, killQuietly, MARKER_VARIABLE } from "../../process/index.js";
import { quote } from "../../shell-words.js";
import type { HostCommand } from "../host/process.js";
import { type CommandPlace, HostSandbox, type HostSandboxOptions } from "../host/sandbox.js";

/** How often, at this interval, processes that were killed are looked for again. */
const ROUNDS = 500;
const INTERVAL_MS = 20;

/** No isolation at all: the host itself, with a scratch folder that stands for `/`. */
export class LocalSandbox extends HostSandbox {
  readonly kind = "local";
  /** Every process inherits it, so that it is found wherever it hides. */
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
    await mkdir(join(this.root, "root"), { recursive: true });
    await mkdir(this.workdir, { recursive: true });
  }

  protected commandFor([file = "/bin/sh", ...args]: string[], place: CommandPlace): HostCommand {
    const { cwd, env } = place;
    return { file, args, env, cwd, kill: (pid) => killQuietly(-pid, "SIGKILL") };
  }

  protected async endStrays(): Promise<void> {
    for (let round = 0; round < ROUNDS; round++) {
      await killMarked(this.#marker);
      if ((await findMarked(this.#marker)).length === 0) return;
      await setTimeout(INTERVAL_MS);
    }
    throw new TermRunError("infra", `processes of the sandbox ${this.id} can't be ended`);
  }

  protected enterCommand(): string {
    return `cd ${quote(this.cwd)}`;
  }
}

function below(root: string, path: string): string {
  return path.startsWith(root) ? path : join(root, path);
}

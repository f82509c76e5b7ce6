import { readFileSync } from "node:fs";
import { killQuietly } from "../../process/index.js";
import { quoteIfNeeded } from "../../shell-words.js";
import type { HostCommand } from "../host/process.js";
import { type CommandPlace, HostSandbox, type HostSandboxOptions } from "../host/sandbox.js";
import { bwrapArguments, SANDBOX_ENV } from "./arguments.js";
import { layOutRoot } from "./root.js";

/** Files are in a folder of the host; each spawned process is in a bwrap of its own over it. */
export class BubblewrapSandbox extends HostSandbox {
  readonly kind = "bubblewrap";
  readonly #bwrap: string;

  constructor(bwrap: string, { watchdog: _, ...options }: HostSandboxOptions) {
    super({ ...options, env: { ...SANDBOX_ENV, ...options.env } });
    this.#bwrap = bwrap;
  }

  path(path: string): string {
    return path;
  }

  protected layOut(): Promise<void> {
    return layOutRoot(this.root, this.workdir);
  }

  protected commandFor(argv: string[], { cwd, env, hasTerminal }: CommandPlace): HostCommand {
    const options = { root: this.root, cwd, env, dieWithParent: true };
    return {
      file: this.#bwrap,
      // A terminal is in a session of its own already, and its shell needs that for job control.
      // dash alone ends with 2 there: it can't give the terminal back to a group outside.
      args: [...bwrapArguments({ ...options, newSession: !hasTerminal }), ...argv],
      // bwrap itself gets no environment, because processes inside could read it.
      env: {},
      cwd: "/",
      kill: killNamespace,
    };
  }

  /** Nothing outlives the process namespace of its bwrap. */
  protected async endStrays(): Promise<void> {}

  protected enterCommand(env: Record<string, string>): string {
    const options = { root: this.root, cwd: this.cwd, env };
    const args = bwrapArguments({ ...options, dieWithParent: false, newSession: false });
    return ["bwrap", ...args, "/bin/sh", "-i", "+m"].map(quoteIfNeeded).join(" ");
  }
}

/**
 * Kills the first process of the namespace. The kernel lets it go only after all others in there,
 * and bwrap waits for it: so when bwrap exits, everything inside is gone.
 */
function killNamespace(bwrap: number): void {
  killQuietly(firstChildOf(bwrap) ?? bwrap, "SIGKILL");
}

function firstChildOf(pid: number): number | null {
  try {
    const [first = ""] = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ");
    return first === "" ? null : Number(first);
  } catch {
    return null;
  }
}

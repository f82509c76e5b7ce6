import type { RunningProcess, Snapshot } from "../../interfaces/index.js";
import { findDescendants, killQuietly } from "../../process/index.js";
import { quoteIfNeeded } from "../../shell-words.js";
import { makeScratchFolder, removeScratchFolder } from "../folder.js";
import type { HostCommand } from "../host/process.js";
import { type CommandPlace, HostSandbox, type HostSandboxOptions } from "../host/sandbox.js";
import { initCommands } from "../native/init.js";
import { INIT, ownNamespaces, SANDBOX_ENV, viewArguments } from "./arguments.js";
import { copyRoot } from "./copy-root.js";
import { Machine } from "./machine.js";
import type { Programs } from "./probe.js";
import { layOutRoot } from "./root.js";
import { pickHostUser } from "./user.js";

/** Joins a machine's namespaces; bwrap then gives the process its view and drops its privileges. */
const JOIN = `nsenter=$1 pid=$2 bwrap=$3
shift 3
exec "$nsenter" --target "$pid" --user --net --ipc --uts --preserve-credentials -- \\
  "$bwrap" --pidns 9 --share-net "$@" 9<"/proc/$pid/ns/pid"`;

/** Files are in a folder of the host; processes share the namespaces of one machine over it. */
export class BubblewrapSandbox extends HostSandbox {
  readonly kind = "bubblewrap";
  protected readonly init = INIT;
  readonly #programs: Programs;
  readonly #options: HostSandboxOptions;
  readonly #uid: number | null;
  #machine: Promise<Machine> | null = null;

  constructor(
    programs: Programs,
    { watchdog, ...options }: HostSandboxOptions,
    uid = pickHostUser(options.root),
  ) {
    super({ ...options, env: { ...SANDBOX_ENV, ...options.env } });
    this.#programs = programs;
    this.#options = { ...options, watchdog };
    this.#uid = uid;
  }

  /** A copy of the files; a second sandbox over them has namespaces of its own. */
  async snapshot(signal: AbortSignal): Promise<Snapshot> {
    const root = await makeScratchFolder(this.kind, this.#options.watchdog);
    const release = () => removeScratchFolder(root);
    try {
      const { bwrap } = this.#programs;
      await copyRoot(bwrap, this.root, root, { uid: this.#uid, signal });
    } catch (error) {
      await release().catch(() => {});
      throw error;
    }
    const options = { ...this.#options, root };
    const open = async () => new BubblewrapSandbox(this.#programs, options, this.#uid);
    return { open, release };
  }

  path(path: string): string {
    return path;
  }

  protected layOut(): Promise<void> {
    return layOutRoot(this.root, this.workdir, this.#uid);
  }

  protected async commandFor(argv: string[], place: CommandPlace): Promise<HostCommand> {
    const { nsenter, bwrap } = this.#programs;
    const { pid } = await this.#start();
    const view = viewArguments({ root: this.root, cwd: place.cwd, env: place.env });
    // A terminal is in a session of its own already, and its shell needs that for job control.
    const session = place.hasTerminal ? [] : ["--new-session"];
    return {
      file: "/bin/sh",
      args: ["-c", JOIN, "sh", nsenter, String(pid), bwrap, ...session, ...view, "--", ...argv],
      // bwrap itself gets no environment, because processes inside could read it.
      env: {},
      cwd: "/",
      uid: this.#uid,
      kill: (outer) => void killTree(outer),
    };
  }

  /** With its machine every process ends; the next one gets a new machine over the same files. */
  protected async endAll(): Promise<void> {
    const machine = await this.#machine?.catch(() => null);
    this.#machine = null;
    await machine?.end();
  }

  protected async endOthers(keep: readonly RunningProcess[]): Promise<void> {
    const argv = initCommands.end(
      INIT,
      keep.map(({ pid }) => pid),
    );
    const process = await this.spawn(argv, { cwd: "/" });
    process.stdout.resume();
    process.stderr.resume();
    await process.exit;
  }

  protected enterCommand(env: Record<string, string>): string {
    const view = viewArguments({ root: this.root, cwd: this.cwd, env });
    const args = [...ownNamespaces({ dieWithParent: false }), ...view];
    const user = `--reuid=${this.#uid} --regid=${this.#uid} --clear-groups`;
    const prefix = this.#uid === null ? "" : `setpriv ${user} `;
    return prefix + ["bwrap", ...args, "/bin/sh", "-i", "+m"].map(quoteIfNeeded).join(" ");
  }

  #start(): Promise<Machine> {
    this.#machine ??= Machine.start({
      bwrap: this.#programs.bwrap,
      view: { root: this.root, cwd: "/", env: SANDBOX_ENV },
      uid: this.#uid,
    });
    return this.#machine;
  }
}

async function killTree(root: number): Promise<void> {
  for (const pid of [...(await findDescendants(root)), root]) killQuietly(pid, "SIGKILL");
}

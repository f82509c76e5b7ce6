import { chmodSync } from "node:fs";
import { TermRunError } from "../../errors.js";
import type { Fault, RunningProcess, Snapshot } from "../../interfaces/index.js";
import { findDescendants, killQuietly, type Watchdog } from "../../process/index.js";
import { quoteIfNeeded } from "../../shell-words.js";
import { makeScratchFolder, removeScratchFolder } from "../folder.js";
import type { HostCommand } from "../host/process.js";
import { type CommandPlace, HostSandbox, type HostSandboxOptions } from "../host/sandbox.js";
import { initCommands } from "../native/init.js";
import { INIT, ownNamespaces, SANDBOX_ENV, viewArguments } from "./arguments.js";
import { Cgroup } from "./cgroup/cgroup.js";
import type { Homes } from "./cgroup/homes.js";
import { copyRoot } from "./copy-root.js";
import { IN_NAMESPACE, launch, type Surroundings } from "./launch.js";
import { Machine } from "./machine.js";
import type { Programs } from "./probe.js";
import { layOutRoot } from "./root.js";
import { makeTools, type Tools, toolsIn } from "./tools.js";
import { pickHostUser } from "./user.js";

/** What bubblewrap sandboxes are made with on this machine. */
export interface Means {
  programs: Programs;
  homes: Homes;
}

/** Files are in a folder of the host; processes share the namespaces of one machine over it. */
export class BubblewrapSandbox extends HostSandbox {
  readonly kind = "bubblewrap";
  protected readonly init = INIT;
  readonly #means: Means;
  readonly #options: HostSandboxOptions;
  readonly #programs: Programs;
  readonly #uid: number | null;
  readonly #tools: Tools;
  readonly #cgroup: Cgroup;
  readonly #watchdog: Watchdog;
  #machine: Promise<Machine> | null = null;

  constructor(means: Means, options: HostSandboxOptions, uid = pickHostUser(options.root)) {
    super({ ...options, env: { ...SANDBOX_ENV, ...options.env } });
    const { programs, homes } = means;
    this.#means = means;
    this.#options = options;
    this.#programs = programs;
    this.#uid = uid;
    this.#tools = toolsIn(this.#toolsFolder);
    this.#cgroup = new Cgroup(homes, options);
    this.#watchdog = options.watchdog;
  }

  path(path: string): string {
    return path;
  }

  protected override get folders(): string[] {
    return [this.root, this.#toolsFolder];
  }

  protected async layOut(): Promise<void> {
    await this.#setUp();
    await layOutRoot(this.root, this.workdir, this.#uid);
  }

  /** A copy of the files; a second sandbox over them has namespaces of its own. */
  async snapshot(signal: AbortSignal): Promise<Snapshot> {
    const root = await makeScratchFolder(this.kind, this.#watchdog);
    const release = () => removeScratchFolder(root);
    try {
      await copyRoot(this.#programs.bwrap, this.root, root, { uid: this.#uid, signal });
    } catch (error) {
      await release().catch(() => {});
      throw error;
    }
    const open = async () => {
      const sandbox = new BubblewrapSandbox(this.#means, { ...this.#options, root }, this.#uid);
      try {
        await sandbox.#setUp();
        return sandbox;
      } catch (error) {
        await sandbox.close().catch(() => {});
        throw error;
      }
    };
    return { open, release };
  }

  override async findFault(): Promise<Fault> {
    const fault = await super.findFault();
    if (fault.by === "agent" || !this.#cgroup.ranOutOfMemory()) return fault;
    return { by: "agent", reason: "the sandbox ran out of memory", isFinal: true };
  }

  /** What a sandbox has beside its files. */
  async #setUp(): Promise<void> {
    this.#watchdog.watchFolder(this.#toolsFolder);
    await makeTools(this.#toolsFolder, this.#tools);
    const { name, removal } = this.#cgroup;
    this.teardown.add(async () => {
      await this.#cgroup.remove();
      this.#watchdog.releaseCommand(name);
    });
    this.#watchdog.watchCommand(name, removal);
    this.#cgroup.make();
  }

  protected async commandFor(argv: string[], place: CommandPlace): Promise<HostCommand> {
    const { nsenter, bwrap } = this.#programs;
    const { pid } = await this.#start();
    this.#openRoot();
    const join = [nsenter, "--target", String(pid), "--user", "--net", "--ipc", "--uts"];
    // A terminal is in a session of its own already, and its shell needs that for job control.
    const session = place.hasTerminal ? [] : ["--new-session"];
    const options = [...IN_NAMESPACE, "--share-net", ...session, ...this.#view(place)];
    const all = [...join, "--preserve-credentials", "--", bwrap, ...options, "--", ...argv];
    const entrances = this.#cgroup.entrances(place.isAgents ? "agent" : "rest");
    return {
      ...launch(all, { ...this.#surroundings, entrances, join: pid }),
      // bwrap itself gets no environment, because processes inside could read it.
      env: {},
      cwd: "/",
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
    let output = "";
    for (const stream of [process.stdout, process.stderr])
      stream.on("data", (bytes) => {
        output = (output + bytes).slice(-1000);
      });
    if ((await process.exit) !== 0)
      throw new TermRunError("infra", `the sandbox's processes can't be ended: ${output.trim()}`);
  }

  protected enterCommand(env: Record<string, string>): string {
    const view = this.#view({ cwd: this.cwd, env });
    const args = [...ownNamespaces({ dieWithParent: false }), ...view];
    const user = `--reuid=${this.#uid} --regid=${this.#uid} --clear-groups`;
    const prefix = this.#uid === null ? "" : `setpriv ${user} `;
    const line = ["bwrap", ...args, "/bin/sh", "-i", "+m"].map(quoteIfNeeded).join(" ");
    return `${prefix}${line} 8<${quoteIfNeeded(this.#tools.filter)}`;
  }

  get #toolsFolder(): string {
    return `${this.root}.tools`;
  }

  get #surroundings(): Surroundings {
    return { nsenter: this.#programs.nsenter, filter: this.#tools.filter, uid: this.#uid };
  }

  #view({ cwd, env }: { cwd: string; env: Record<string, string> }): string[] {
    return viewArguments({ root: this.root, init: this.#tools.init, cwd, env });
  }

  /** Without capabilities, nothing can be started in a sandbox whose `/` is closed. */
  #openRoot(): void {
    chmodSync(this.root, 0o755);
  }

  async #start(): Promise<Machine> {
    if (!this.#machine) this.#openRoot();
    this.#machine ??= Machine.start({
      ...this.#surroundings,
      entrances: this.#cgroup.entrances("rest"),
      bwrap: this.#programs.bwrap,
      view: { root: this.root, init: this.#tools.init, cwd: "/", env: SANDBOX_ENV },
      watchdog: this.#watchdog,
    });
    const machine = await this.#machine;
    if (machine.isAlive) return machine;
    const why = this.#cgroup.ranOutOfMemory()
      ? "it ran out of memory"
      : "it was ended from outside";
    throw new TermRunError("infra", `the sandbox ${this.id} is no longer running: ${why}`);
  }
}

async function killTree(root: number): Promise<void> {
  for (const pid of [...(await findDescendants(root)), root]) killQuietly(pid, "SIGKILL");
}

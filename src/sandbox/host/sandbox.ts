import pTimeout from "p-timeout";
import { messageOf } from "../../errors.js";
import type {
  CommandResult,
  Download,
  DownloadOptions,
  ExecOptions,
  Fault,
  FreshFolder,
  RunningProcess,
  RunOptions,
  Sandbox,
  SandboxProcess,
  SpawnOptions,
  UploadOptions,
} from "../../interfaces/index.js";
import { Teardown, type Watchdog } from "../../process/index.js";
import { quote } from "../../shell-words.js";
import { removeScratchFolder } from "../folder.js";
import { Shells } from "../shell/shells.js";
import { type HostCommand, startProcess } from "./process.js";
import { downloadThrough, uploadThrough } from "./tar-stream.js";
import { startInTerminal } from "./terminal.js";

/** Killed processes that still exist after this time are stuck in the kernel. */
const END_DEADLINE_MS = 30_000;

export interface HostSandboxOptions {
  /** The scratch folder, which the sandbox owns from here on. */
  root: string;
  workdir: string;
  env: Record<string, string>;
  /** What the task asks for; null: it doesn't say. */
  cpus: number | null;
  memoryMb: number | null;
  outputLimitBytes: number;
  watchdog: Watchdog;
}

/** A sandbox made of processes of the host over a scratch folder. */
export abstract class HostSandbox implements Sandbox {
  abstract readonly kind: string;
  readonly id: string;
  readonly image = null;
  readonly workdir: string;
  protected readonly root: string;
  protected readonly teardown = new Teardown();
  readonly #env: Record<string, string>;
  readonly #shells: Shells;
  readonly #processes = new Set<SandboxProcess>();
  #isKept = false;
  #closing: Promise<void> | null = null;

  constructor(options: Omit<HostSandboxOptions, "watchdog">) {
    this.id = options.root;
    this.root = options.root;
    this.workdir = options.workdir;
    this.#env = options.env;
    this.#shells = new Shells({
      spawn: (argv, { env = {} }) => this.spawn(argv, { cwd: "/", env }),
      spawnDriver: (argv, { env = {} }) => this.#start(argv, { cwd: "/", env }, true),
      directoryOf: () => this.workdir,
      makeRoom: () => this.endAll(),
      resident: {},
      root: {},
      init: () => this.init,
      outputLimitBytes: options.outputLimitBytes,
    });
    this.teardown.add(() => {
      if (!this.#isKept) return this.#removeFiles();
    });
  }

  /** The folders of the host that belong to it. */
  protected get folders(): string[] {
    return [this.root];
  }

  async #removeFiles(): Promise<void> {
    for (const folder of this.folders) await removeScratchFolder(folder);
  }

  /** Where term-run's own program is in the sandbox. */
  protected abstract readonly init: string;
  abstract path(path: string): string;
  /** Creates the folders that must exist before the first process. */
  protected abstract layOut(): Promise<void>;
  protected abstract commandFor(argv: string[], place: CommandPlace): Promise<HostCommand>;
  /** Ends every process, and waits until they are gone. */
  protected abstract endAll(): Promise<void>;
  protected abstract endOthers(keep: readonly RunningProcess[]): Promise<void>;
  /** A line of shell that enters the sandbox after this process ended. */
  protected abstract enterCommand(env: Record<string, string>): string;

  get cwd(): string {
    return this.#shells.cwd;
  }

  /** Makes the sandbox ready for its first command. */
  async open(filesDir: string | null, signal: AbortSignal): Promise<void> {
    await this.layOut();
    if (filesDir) await this.upload(filesDir, this.workdir);
    await this.#shells.start(signal);
  }

  spawn(argv: string[], options: SpawnOptions = {}): Promise<SandboxProcess> {
    return this.#start(argv, options, false);
  }

  async #start(argv: string[], options: SpawnOptions, isAgents: boolean): Promise<SandboxProcess> {
    const { tty, cwd = this.workdir } = options;
    const env = { ...this.#env, ...(tty ? { TERM: "xterm" } : {}), ...options.env };
    const hasTerminal = tty !== undefined;
    const command = await this.commandFor(argv, { cwd, env, hasTerminal, isAgents });
    const process = await (tty ? startInTerminal(command, tty) : startProcess(command));
    this.#processes.add(process);
    void process.exit.then(() => this.#processes.delete(process));
    return process;
  }

  run(command: string, options: RunOptions): Promise<CommandResult> {
    return this.#shells.run(command, options);
  }

  exec(command: string, options: ExecOptions): Promise<CommandResult> {
    return this.#shells.exec(command, options);
  }

  execFile(argv: string[], options: ExecOptions): Promise<CommandResult> {
    return this.#shells.execFile(argv, options);
  }

  recreate(folders: readonly FreshFolder[]): Promise<void> {
    return this.#shells.recreate(folders);
  }

  endShell(): Promise<void> {
    return this.#shells.leave();
  }

  listProcesses(): Promise<RunningProcess[]> {
    return this.#shells.listProcesses();
  }

  /** Nothing in a sandbox can end it: if it still works, it was what the agent left. */
  async findFault(): Promise<Fault> {
    try {
      await this.listProcesses();
      return { by: "agent", reason: "the sandbox still works", isFinal: false };
    } catch (error) {
      const reason = `no process can be started in the sandbox: ${messageOf(error)}`;
      return { by: "host", reason, isFinal: true };
    }
  }

  async endProcesses(keep: readonly RunningProcess[] = []): Promise<void> {
    this.#shells.reset();
    if (keep.length > 0) return this.endOthers(keep);
    try {
      await this.endAll();
      await pTimeout(Promise.all([...this.#processes].map(({ exit }) => exit)), {
        milliseconds: END_DEADLINE_MS,
        message: `processes of the sandbox ${this.id} can't be killed`,
      });
    } catch (error) {
      // What is stuck in the kernel must not keep term-run from its own end.
      for (const process of this.#processes) abandon(process);
      throw error;
    }
  }

  upload(hostDir: string, path: string, options?: UploadOptions): Promise<void> {
    return uploadThrough(this.#spawnInRoot, hostDir, this.path(path), options);
  }

  download(path: string, hostDir: string, options?: DownloadOptions): Promise<Download> {
    return downloadThrough(this.#spawnInRoot, this.path(path), hostDir, options);
  }

  async keep(): Promise<{ enter: string; remove: string }> {
    this.#isKept = true;
    const remove = `rm -rf ${this.folders.map(quote).join(" ")}`;
    return { enter: this.enterCommand(this.#env), remove };
  }

  close(): Promise<void> {
    if (!this.#closing) {
      this.teardown.add(() => this.endProcesses());
      this.#shells.close();
      this.#closing = this.teardown.run();
    }
    return this.#closing;
  }

  #spawnInRoot = (argv: string[]) => this.spawn(argv, { cwd: "/" });
}

function abandon({ stdin, stdout, stderr, kill }: SandboxProcess): void {
  kill();
  for (const stream of [stdin, stdout, stderr]) stream.destroy();
}

/** Where a command line of the host is to run its program. */
export interface CommandPlace {
  cwd: string;
  env: Record<string, string>;
  hasTerminal: boolean;
  /** Whether the agent's commands run in it. */
  isAgents: boolean;
}

import type {
  CommandResult,
  ExecOptions,
  ProcessPlace,
  RunningProcess,
  RunOptions,
  SandboxProcess,
} from "../../interfaces/index.js";
import { execCommand } from "./exec-command.js";
import { LIST_PROCESSES, readProcesses } from "./list-processes.js";
import { ResidentShell } from "./resident-shell.js";

const LIST_DEADLINE_MS = 60_000;
/** For thousands of processes with long command lines. */
const LIST_LIMIT_BYTES = 16 * 1024 * 1024;

interface ShellsOptions {
  spawn(argv: string[], place: ProcessPlace): Promise<SandboxProcess>;
  /** For the driver of a resident shell, which lives as long as its streams. */
  spawnDriver?(argv: string[], place: ProcessPlace): Promise<SandboxProcess>;
  /** Where a shell starts, and a command that names no folder. */
  directoryOf(place: ProcessPlace): string;
  /** Ends all processes of the sandbox: the way out when not even a shell can be started. */
  makeRoom?: () => Promise<void>;
  /** Whom the resident shell runs as. */
  resident: ProcessPlace;
  /** Who may see every process. */
  root: ProcessPlace;
  outputLimitBytes: number;
}

/** The resident shell of a sandbox, the ones before it, and the processes beside it. */
export class Shells {
  readonly #options: ShellsOptions;
  readonly #driverPids = new Set<number>();
  #sinceTicks = Number.POSITIVE_INFINITY;
  #resident: ResidentShell;
  #isClosed = false;

  constructor(options: ShellsOptions) {
    this.#options = options;
    this.#resident = this.#open(options.resident);
  }

  /** Of the resident shell. */
  get cwd(): string {
    return this.#resident.cwd;
  }

  start(signal: AbortSignal): Promise<void> {
    return this.#resident.start(signal);
  }

  run(command: string, options: RunOptions): Promise<CommandResult> {
    return this.#resident.run(command, options);
  }

  exec(command: string, options: ExecOptions): Promise<CommandResult> {
    const { spawn, directoryOf, outputLimitBytes } = this.#options;
    const cwd = options.cwd ?? directoryOf(options);
    return execCommand((argv) => spawn(argv, options), {
      ...options,
      command,
      cwd,
      outputLimitBytes,
    });
  }

  /** Ends the resident shell; whoever works here next gets a new one. */
  async leave(): Promise<void> {
    const shell = this.#resident;
    await shell.leave();
    const { driver } = shell;
    if (driver) {
      this.#driverPids.add(driver.pid);
      this.#sinceTicks = Math.min(this.#sinceTicks, driver.startTicks);
    }
    if (!this.#isClosed) this.#resident = this.#open(this.#options.resident);
  }

  /** Drops the resident shell, whose process is gone or about to be. */
  reset(): void {
    this.#resident.close();
    if (!this.#isClosed) this.#resident = this.#open(this.#options.resident);
  }

  async listProcesses(): Promise<RunningProcess[]> {
    const { spawn, root } = this.#options;
    const { output } = await execCommand((argv) => spawn(argv, root), {
      command: LIST_PROCESSES,
      cwd: "/",
      outputLimitBytes: LIST_LIMIT_BYTES,
      timeoutMs: LIST_DEADLINE_MS,
      signal: AbortSignal.timeout(LIST_DEADLINE_MS),
    });
    return readProcesses(output, { sinceTicks: this.#sinceTicks, pids: this.#driverPids });
  }

  close(): void {
    this.#isClosed = true;
    this.#resident.close();
  }

  #open(place: ProcessPlace): ResidentShell {
    const { spawn, spawnDriver = spawn, directoryOf, makeRoom, outputLimitBytes } = this.#options;
    return new ResidentShell({
      spawn: (argv) => spawnDriver(argv, place),
      cwd: place.cwd ?? directoryOf(place),
      outputLimitBytes,
      ...(makeRoom ? { makeRoom } : {}),
    });
  }
}

import type {
  CommandResult,
  ExecOptions,
  ProcessPlace,
  RunningProcess,
  RunOptions,
  SandboxProcess,
} from "../../interfaces/index.js";
import { LIST_PROCESSES, readProcesses } from "./list-processes.js";
import { ResidentShell } from "./resident-shell.js";

const LIST_DEADLINE_MS = 60_000;

interface ShellsOptions {
  spawn(argv: string[], place: ProcessPlace): Promise<SandboxProcess>;
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

/** The shells of one sandbox: the resident one, and a fresh one for each `exec`. */
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
    return this.#open(options).runAndLeave(command, options);
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
    const shell = this.#open({ ...this.#options.root, cwd: "/" });
    const { output } = await shell.runAndLeave(LIST_PROCESSES, {
      timeoutMs: LIST_DEADLINE_MS,
      signal: AbortSignal.timeout(LIST_DEADLINE_MS),
    });
    const drivers = { sinceTicks: this.#sinceTicks, pids: this.#driverPids };
    return readProcesses(output, shell.driver?.pid ?? 0, drivers);
  }

  close(): void {
    this.#isClosed = true;
    this.#resident.close();
  }

  #open(place: ProcessPlace): ResidentShell {
    const { spawn, directoryOf, makeRoom, outputLimitBytes } = this.#options;
    return new ResidentShell({
      spawn: (argv) => spawn(argv, place),
      cwd: place.cwd ?? directoryOf(place),
      outputLimitBytes,
      ...(makeRoom ? { makeRoom } : {}),
    });
  }
}

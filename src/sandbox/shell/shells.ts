import { TermRunError } from "../../errors.js";
import type {
  CommandResult,
  ExecOptions,
  FreshFolder,
  ProcessPlace,
  RunningProcess,
  RunOptions,
  SandboxProcess,
} from "../../interfaces/index.js";
import { initCommands } from "../native/init.js";
import { awaitCommand, shellCommand } from "./await-command.js";
import { readProcesses } from "./list-processes.js";
import { ResidentShell } from "./resident-shell.js";

const INIT_DEADLINE_MS = 120_000;
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
  /** Who may see every process, and empty every folder. */
  root: ProcessPlace;
  /** Where term-run's own program is in the sandbox. */
  init(): string;
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
    const cwd = options.cwd ?? this.#options.directoryOf(options);
    return this.#await(shellCommand(command, cwd), { ...options, cwd });
  }

  execFile(argv: string[], options: ExecOptions): Promise<CommandResult> {
    const cwd = options.cwd ?? this.#options.directoryOf(options);
    return this.#await(initCommands.run(this.#options.init(), cwd, argv), { ...options, cwd });
  }

  async recreate(folders: readonly FreshFolder[]): Promise<void> {
    const { output, exitCode } = await this.#runInit(
      initCommands.fresh(this.#options.init(), folders),
    );
    if (exitCode !== 0) throw new TermRunError("infra", `the sandbox's folders: ${output}`);
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
    const { output } = await this.#runInit(initCommands.list(this.#options.init()));
    return readProcesses(output, { sinceTicks: this.#sinceTicks, pids: this.#driverPids });
  }

  close(): void {
    this.#isClosed = true;
    this.#resident.close();
  }

  #runInit(argv: string[]): Promise<CommandResult> {
    return awaitCommand(() => this.#options.spawn(argv, this.#options.root), {
      cwd: "/",
      outputLimitBytes: LIST_LIMIT_BYTES,
      timeoutMs: INIT_DEADLINE_MS,
      signal: AbortSignal.timeout(INIT_DEADLINE_MS),
    });
  }

  #await(argv: string[], options: ExecOptions & { cwd: string }): Promise<CommandResult> {
    const { spawn, outputLimitBytes } = this.#options;
    return awaitCommand(() => spawn(argv, options), { ...options, outputLimitBytes });
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

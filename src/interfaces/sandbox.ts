import type { Readable, Writable } from "node:stream";
import type { Redactor } from "../events/index.js";
import type { Watchdog } from "../process/index.js";
import type { Healthcheck, NetworkPolicy, Task } from "./task.js";

export interface CommandResult {
  /** stdout and stderr in the order written, cut in the middle when too long. */
  output: string;
  outputBytes: number;
  cutBytes: number;
  exitCode: number;
  timedOut: boolean;
  shellRestarted: boolean;
  durationMs: number;
  /** The shell's directory after the command. */
  cwd: string;
}

export interface RunOptions {
  timeoutMs: number;
  signal: AbortSignal;
}

/** Where a process runs, and as which user. */
export interface ProcessPlace {
  cwd?: string;
  env?: Record<string, string>;
  /** The image's own user if it is null or missing. */
  user?: string | null;
  /** The service beside the sandbox that it runs in; the sandbox itself if missing. */
  service?: string;
}

export interface ExecOptions extends RunOptions, ProcessPlace {}

export interface TerminalSize {
  columns: number;
  rows: number;
}

export interface SpawnOptions extends ProcessPlace {
  /** Gives the process a terminal of this size; without it, three pipes. */
  tty?: TerminalSize;
}

/** A process in a sandbox, with its streams. */
export interface SandboxProcess {
  /** `end()` is the end of input. */
  readonly stdin: Writable;
  /** With a terminal, everything that it shows. */
  readonly stdout: Readable;
  /** Ends at once with a terminal. */
  readonly stderr: Readable;
  /** Resolves when the process has exited, never rejects; null if the exit code is unknown. */
  readonly exit: Promise<number | null>;
  /** Only with a terminal. */
  resize(size: TerminalSize): void;
  kill(): void;
}

export interface RunningProcess {
  /** As the sandbox numbers it. */
  pid: number;
  command: string;
  ageSec: number;
  /** Whether it started with or after the agent's shell: it isn't a service of the image. */
  isForeign: boolean;
}

/** A folder to be made, and its mode. */
export interface FreshFolder {
  path: string;
  mode: number;
}

export interface UploadOptions {
  /** Only these entries of the folder; null or missing: all. */
  only?: string[] | null;
  /** Entries of the folder that everyone may run, whatever their modes say. */
  executable?: string[];
}

/** What one download may copy to the host. */
export interface DownloadLimits {
  /** Of all files together. */
  bytes: number;
  /** Of one file, as it says itself: a sparse file counts in full. */
  fileBytes: number;
  /** Files and folders. */
  entries: number;
  /** Folders within folders. */
  depth: number;
  /** Of one name. */
  nameBytes: number;
}

export interface DownloadOptions {
  /** Puts `path` itself, file or folder, below the host folder under this name. */
  as?: string;
  /** Patterns of names to leave out. */
  exclude?: string[];
  service?: string;
  limits?: DownloadLimits;
  /** Removes secrets from names and contents before they are written. */
  redactor?: Redactor;
  /** Files of up to 1 MiB whose content is returned as well, as it is: paths below `path`. */
  peek?: readonly string[];
}

export interface LeftOut {
  path: string;
  reason: string;
}

/** What became of a download. */
export interface Download {
  /** The first of what was left out, and how much was in all. */
  leftOut: LeftOut[];
  leftOutCount: number;
  /** What was asked to be returned. */
  contents: Map<string, Buffer>;
  /** Why not everything could be read, if the sandbox itself is the reason. */
  problem: string | null;
}

/** Who is behind a failure: the machine under a sandbox, or what was done in it. */
export interface Fault {
  by: "host" | "agent";
  reason: string;
  /** Whether nothing can be run in the sandbox any more. */
  isFinal: boolean;
}

/** A sandbox's files as they were at one moment. */
export interface Snapshot {
  /** A fresh sandbox with these files, in which nothing runs that ran in the first. */
  open(signal: AbortSignal): Promise<Sandbox>;
  /** Removes it; the sandboxes opened from it must be closed before. */
  release(): Promise<void>;
}

/** The isolated machine that an agent's commands run in. */
export interface Sandbox {
  readonly kind: string;
  /** Container name or folder, for people. */
  readonly id: string;
  readonly image: string | null;
  readonly workdir: string;
  /** Where the resident shell is now. */
  readonly cwd: string;
  /** The user that the resident shell runs as, in a sandbox that has users. */
  readonly user?: string;
  /** The image's own check, which has to pass before the agent begins. */
  readonly healthcheck?: Healthcheck | null;
  /** Where a path that tasks use (`/tests`, `/logs`) is in this sandbox. */
  path(path: string): string;
  /** Starts a process; everything else that runs here is built on it. */
  spawn(argv: string[], options?: SpawnOptions): Promise<SandboxProcess>;
  /** Runs one command line in the resident shell: directory, variables and functions persist. */
  run(command: string, options: RunOptions): Promise<CommandResult>;
  /** Runs a command line in a fresh shell with a clean environment, apart from the resident one. */
  exec(command: string, options: ExecOptions): Promise<CommandResult>;
  /** Runs a program in a fresh process: nothing in the sandbox stands between it and its result. */
  execFile(argv: string[], options: ExecOptions): Promise<CommandResult>;
  /** Empties folders, creating them where they are missing, whatever stands in their way. */
  recreate(folders: readonly FreshFolder[]): Promise<void>;
  /** Ends the resident shell and the command it is running; background processes live on. */
  endShell(): Promise<void>;
  /** What runs in the sandbox, less the shells of term-run's own. */
  listProcesses(): Promise<RunningProcess[]>;
  /** Ends every process in the sandbox but those to keep, the shell included; files stay. */
  endProcesses(keep?: readonly RunningProcess[]): Promise<void>;
  /** Keeps the files as they are now, where the kind of sandbox can; what runs goes on. */
  snapshot?(signal: AbortSignal): Promise<Snapshot>;
  /** Looks why something failed here: whether the machine still works, and what ended it if not. */
  findFault(): Promise<Fault>;
  /** Copies a folder's contents, or some of them, to `path`, which is created if missing. */
  upload(hostDir: string, path: string, options?: UploadOptions): Promise<void>;
  /**
   * Copies regular files and folders below `path`; a missing `path` gives nothing. What can't be
   * kept is left out, and the rest is copied.
   */
  download(path: string, hostDir: string, options?: DownloadOptions): Promise<Download>;
  /** Switches the network on or off for what follows, where the sandbox can. */
  useNetwork?(policy: NetworkPolicy | null): Promise<void>;
  /** Lets the sandbox outlive the run and says how to enter and remove it. */
  keep(): Promise<{ enter: string; remove: string }>;
  /** Releases everything; safe to call twice. */
  close(): Promise<void>;
}

export interface PrepareOptions {
  signal: AbortSignal;
  onStart(image: string, tasks: string[]): void;
  onProgress(image: string, line: string): void;
  onFinish(
    image: string,
    end: { ok: boolean; cached: boolean; durationMs: number; error: unknown },
  ): void;
}

/** What a sandbox is created for. */
export interface SandboxRequest {
  task: Task;
  trial: string;
  run: string;
  /** How much of a command's output is kept. */
  outputLimitBytes: number;
  watchdog: Watchdog;
  signal: AbortSignal;
}

/** What tasks may ask of a kind of sandbox. */
export interface Abilities {
  /** Images of their own, built or pulled. */
  images: boolean;
  /** Services beside the sandbox. */
  services: boolean;
  /** Commands as a named user. */
  users: boolean;
  /** A verifier with a machine of its own. */
  separateVerifier: boolean;
  /** The available networks, and whether a trial can switch between them. */
  networks: readonly NetworkPolicy["mode"][];
  networkSwitch: boolean;
  /** Limits on CPUs and memory. */
  limits: boolean;
  /** `/tests`, `/logs` and the like are where their names say. */
  ownRoot: boolean;
}

export interface SandboxProvider {
  readonly kind: string;
  readonly abilities: Abilities;
  /** Builds or pulls what the tasks need. Failures are kept and thrown by `create`. */
  prepare(tasks: Task[], options: PrepareOptions): Promise<void>;
  create(request: SandboxRequest): Promise<Sandbox>;
  close(): Promise<void>;
}

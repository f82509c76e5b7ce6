import type { Readable } from "node:stream";
import type Docker from "dockerode";
import { asInfraError } from "../../errors.js";
import type {
  CommandResult,
  Download,
  DownloadOptions,
  ExecOptions,
  Fault,
  FreshFolder,
  Healthcheck,
  NetworkPolicy,
  RunningProcess,
  RunOptions,
  Sandbox,
  SandboxProcess,
  SandboxRequest,
  Snapshot,
  SpawnOptions,
  UploadOptions,
} from "../../interfaces/index.js";
import { quote } from "../../shell-words.js";
import { emptyDownload, extractInto } from "../extract.js";
import { Shells } from "../shell/shells.js";
import { packFolder } from "../tar.js";
import { ROOT } from "./end-processes.js";
import { runStartup, type Startup } from "./entrypoint.js";
import type { ExecExits } from "./exec-exits.js";
import { findContainerFault } from "./fault.js";
import { Machine, type MachinePlan } from "./machine.js";
import { SandboxNetwork } from "./network.js";
import { Processes } from "./processes.js";
import { type Original, takeSnapshot } from "./snapshot.js";

interface OpenOptions extends SandboxRequest, MachinePlan {
  /** The image's own user. */
  imageUser: string;
  /** What runs from the start. */
  startup: Startup | null;
  exits: ExecExits;
  /** The image's own check. */
  healthcheck: Healthcheck | null;
}

export class DockerSandbox implements Sandbox {
  readonly kind = "docker";
  readonly id: string;
  readonly image: string;
  readonly workdir: string;
  readonly user: string;
  readonly healthcheck: Healthcheck | null;
  readonly #docker: Docker;
  readonly #options: OpenOptions;
  readonly #machine: Machine;
  readonly #network: SandboxNetwork;
  readonly #processes: Processes;
  readonly #shells: Shells;
  #closing: Promise<void> | null = null;

  private constructor(docker: Docker, machine: Machine, options: OpenOptions) {
    this.id = machine.name;
    this.image = options.layout.main.image;
    this.workdir = options.workdir;
    this.user = options.task.agentUser ?? options.imageUser;
    this.healthcheck = options.healthcheck;
    this.#docker = docker;
    this.#options = options;
    this.#machine = machine;
    const resolve = (address: string) => this.#processes.setResolver(address);
    this.#network = new SandboxNetwork({ docker, machine, resolve }, options.task);
    const pidsLimit = options.privileges.pidsLimit;
    this.#processes = new Processes(machine, { ...options, pidsLimit });
    this.#shells = new Shells({
      spawn: (argv, place) => this.spawn(argv, { ...place, cwd: "/" }),
      spawnDriver: (argv, place) => this.#processes.spawnDriver(argv, place),
      directoryOf: (place) => this.#processes.directoryOf(place),
      makeRoom: () => this.#processes.endAll([]),
      resident: { user: this.user },
      root: { user: ROOT },
      init: () => this.#processes.init,
      outputLimitBytes: options.outputLimitBytes,
    });
  }

  static async open(docker: Docker, options: OpenOptions): Promise<DockerSandbox> {
    const machine = await Machine.start(docker, options, options.signal);
    return new DockerSandbox(docker, machine, options);
  }

  get cwd(): string {
    return this.#shells.cwd;
  }

  path(path: string): string {
    return path;
  }

  /** Starts what runs from the start, beside everything else. */
  async startUp(signal: AbortSignal): Promise<void> {
    const { startup } = this.#options;
    if (startup) await runStartup(startup, (argv) => this.spawn(argv), signal);
  }

  /** Starts the resident shell. */
  start(signal: AbortSignal): Promise<void> {
    return this.#shells.start(signal);
  }

  spawn(argv: string[], options: SpawnOptions = {}): Promise<SandboxProcess> {
    return this.#processes.spawn(argv, options);
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

  async recreate(folders: readonly FreshFolder[]): Promise<void> {
    await this.#processes.renewInit();
    await this.#shells.recreate(folders);
  }

  endShell(): Promise<void> {
    return this.#shells.leave();
  }

  listProcesses(): Promise<RunningProcess[]> {
    return this.#shells.listProcesses();
  }

  async endProcesses(keep: readonly RunningProcess[] = []): Promise<void> {
    this.#shells.reset();
    await this.#processes.endAll(keep);
  }

  snapshot(signal: AbortSignal): Promise<Snapshot> {
    const { layout, trial } = this.#options;
    const open = async (image: string, over: Original, signal: AbortSignal) => {
      const main = { image, build: null };
      const plan = { layout: { ...layout, main }, trial: `${trial}.again`, over, signal };
      const sandbox = await DockerSandbox.open(this.#docker, { ...this.#options, ...plan });
      return startOrClose(sandbox, () => sandbox.startUp(signal));
    };
    return takeSnapshot(this.#docker, this.#machine, open, signal);
  }

  findFault(): Promise<Fault> {
    const { container } = this.#machine;
    return findContainerFault(
      this.#docker,
      container,
      async () => void (await this.listProcesses()),
    );
  }

  useNetwork(policy: NetworkPolicy | null): Promise<void> {
    return this.#network.use(policy);
  }

  async upload(hostDir: string, path: string, options: UploadOptions = {}): Promise<void> {
    const under = path.replace(/^\/+/, "");
    try {
      const tar = packFolder(hostDir, { under, ...options }) as unknown as NodeJS.ReadableStream;
      await this.#machine.container.putArchive(tar, { path: "/" });
    } catch (error) {
      throw asInfraError(error, `copying ${hostDir} into the container failed`);
    }
  }

  async download(path: string, hostDir: string, options: DownloadOptions = {}): Promise<Download> {
    try {
      const tar = await this.#processes.containerOf(options).getArchive({ path });
      const download = await extractInto(tar as Readable, hostDir, options);
      if (download.problem === null) return download;
      throw new Error(download.problem);
    } catch (error) {
      if ((error as { statusCode?: number }).statusCode === 404) return emptyDownload();
      throw asInfraError(error, `copying ${path} out of the container failed`);
    }
  }

  async keep(): Promise<{ enter: string; remove: string }> {
    const shell = quote(`cd ${quote(this.cwd)}; exec $(command -v bash || echo sh)`);
    return {
      enter: `docker exec -it ${this.id} sh -c ${shell}`,
      remove: this.#machine.keep(),
    };
  }

  close(): Promise<void> {
    this.#shells.close();
    this.#closing ??= this.#machine.remove();
    return this.#closing;
  }
}

/** Closes a sandbox that can't be started: the start's error matters more than the cleanup's. */
export async function startOrClose(
  sandbox: DockerSandbox,
  start: () => Promise<void>,
): Promise<DockerSandbox> {
  try {
    await start();
    return sandbox;
  } catch (error) {
    await sandbox.close().catch(() => {});
    throw error;
  }
}

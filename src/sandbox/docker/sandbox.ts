import { randomBytes } from "node:crypto";
import type { Readable } from "node:stream";
import type Docker from "dockerode";
import { asInfraError, TermRunError } from "../../errors.js";
import type {
  CommandResult,
  Download,
  DownloadOptions,
  ExecOptions,
  FreshFolder,
  Healthcheck,
  NetworkPolicy,
  ProcessPlace,
  RunningProcess,
  RunOptions,
  Sandbox,
  SandboxProcess,
  SandboxRequest,
  SpawnOptions,
  UploadOptions,
} from "../../interfaces/index.js";
import { MARKER_VARIABLE } from "../../process/index.js";
import { quote } from "../../shell-words.js";
import { emptyDownload, extractInto } from "../extract.js";
import { Shells } from "../shell/shells.js";
import { packFolder } from "../tar.js";
import { endAllProcesses, endMarkedProcesses, ROOT } from "./end-processes.js";
import { runEntrypoint } from "./entrypoint.js";
import { type ExecPlan, startExec } from "./exec.js";
import type { ExecExits } from "./exec-exits.js";
import { Machine, type MachinePlan } from "./machine.js";
import { SandboxNetwork } from "./network.js";
import { packInit } from "./tools.js";

interface OpenOptions extends SandboxRequest, MachinePlan {
  /** The image's own user. */
  imageUser: string;
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
  readonly #machine: Machine;
  readonly #network: SandboxNetwork;
  readonly #imageUser: string;
  readonly #pidsLimit: number;
  readonly #exits: ExecExits;
  readonly #initFile: string;
  #init: string;
  readonly #shells: Shells;
  #closing: Promise<void> | null = null;

  private constructor(docker: Docker, machine: Machine, options: OpenOptions) {
    this.id = machine.name;
    this.image = options.layout.main.image;
    this.workdir = options.workdir;
    this.user = options.task.agentUser ?? options.imageUser;
    this.healthcheck = options.healthcheck;
    this.#machine = machine;
    this.#network = new SandboxNetwork(docker, this.id, options.task);
    this.#imageUser = options.imageUser;
    this.#pidsLimit = options.privileges.pidsLimit;
    this.#exits = options.exits;
    this.#initFile = options.init.file;
    this.#init = options.init.path;
    this.#shells = new Shells({
      spawn: (argv, place) => this.spawn(argv, { ...place, cwd: "/" }),
      // The driver ends with its streams.
      spawnDriver: (argv, place) =>
        this.#start(place, {
          argv,
          user: this.#userOf(place),
          cwd: "/",
          env: place.env ?? {},
          tty: undefined,
        }),
      directoryOf: (place) => this.#defaultDirectory(place),
      makeRoom: () => this.#endAll([]),
      resident: { user: this.user },
      root: { user: ROOT },
      init: () => this.#init,
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

  /** Starts what the image runs before any command, beside everything else. */
  async startEntrypoint(argv: string[] | null, signal: AbortSignal): Promise<void> {
    if (argv) await runEntrypoint(argv, (all) => this.spawn(all), signal);
  }

  /** Starts the resident shell. */
  start(signal: AbortSignal): Promise<void> {
    return this.#shells.start(signal);
  }

  spawn(argv: string[], options: SpawnOptions = {}): Promise<SandboxProcess> {
    const marker = randomBytes(8).toString("hex");
    const user = this.#userOf(options);
    return this.#start(options, {
      argv,
      user,
      cwd: options.cwd ?? this.#defaultDirectory(options),
      env: { ...options.env, [MARKER_VARIABLE]: marker },
      tty: options.tty,
      // A terminal's last output counts as well.
      ...(options.tty ? {} : { exits: this.#exits }),
      // A service's container doesn't have the program that kills.
      ...(this.#machine.serviceContainer(options.service)
        ? {}
        : { kill: () => endMarkedProcesses(this.#tools, marker) }),
    });
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

  /** The program that does it is brought anew, since the agent may have replaced the one before. */
  async recreate(folders: readonly FreshFolder[]): Promise<void> {
    const path = `/.term-run-${randomBytes(8).toString("hex")}`;
    try {
      const tar = await packInit(this.#initFile, path);
      await this.#machine.container.putArchive(tar, { path: "/" });
    } catch (error) {
      throw await this.#explain(error);
    }
    this.#init = path;
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
    await this.#endAll(keep);
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
      const tar = await this.#containerOf(options).getArchive({ path });
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

  async #start(place: ProcessPlace, plan: ExecPlan): Promise<SandboxProcess> {
    try {
      return await startExec(this.#containerOf(place), plan);
    } catch (error) {
      throw await this.#explain(error);
    }
  }

  #endAll(keep: readonly RunningProcess[]): Promise<void> {
    return endAllProcesses(this.#tools, this.#pidsLimit, keep).catch(async (error) => {
      throw await this.#explain(error);
    });
  }

  get #tools() {
    return { container: this.#machine.container, init: this.#init };
  }

  #containerOf({ service }: ProcessPlace): Docker.Container {
    return this.#machine.serviceContainer(service) ?? this.#machine.container;
  }

  #defaultDirectory({ service }: ProcessPlace): string {
    return this.#machine.serviceContainer(service) ? "/" : this.workdir;
  }

  #userOf({ user, service }: ProcessPlace): string {
    return user ?? (this.#machine.serviceContainer(service) ? "" : this.#imageUser);
  }

  /** A container that is no longer running is an infrastructure error. */
  async #explain(error: unknown): Promise<TermRunError> {
    const state = await this.#machine.container.inspect().catch(() => null);
    if (state?.State.Running) return asInfraError(error, "no process could be started");
    const why = state?.State.OOMKilled ? "it ran out of memory" : "it was stopped from outside";
    return new TermRunError("infra", `the container ${this.id} is no longer running: ${why}`, {
      cause: error,
    });
  }
}

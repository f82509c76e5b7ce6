import { randomBytes } from "node:crypto";
import type { Readable } from "node:stream";
import type Docker from "dockerode";
import { asInfraError, TermRunError } from "../../errors.js";
import type {
  CommandResult,
  DownloadOptions,
  ExecOptions,
  NetworkPolicy,
  ProcessPlace,
  RunOptions,
  Sandbox,
  SandboxProcess,
  SandboxRequest,
  SpawnOptions,
} from "../../interfaces/index.js";
import { MARKER_VARIABLE } from "../../process/index.js";
import { quote } from "../../shell-words.js";
import { ResidentShell } from "../shell/resident-shell.js";
import { extractInto, packFolder } from "../tar.js";
import { endAllProcesses, endMarkedProcesses } from "./end-processes.js";
import { type ExecPlan, startExec } from "./exec.js";
import { Machine, type MachinePlan } from "./machine.js";
import { SandboxNetwork } from "./network.js";

interface OpenOptions extends SandboxRequest, MachinePlan {
  /** The image's own user. */
  imageUser: string;
}

export class DockerSandbox implements Sandbox {
  readonly kind = "docker";
  readonly id: string;
  readonly image: string;
  readonly workdir: string;
  readonly user: string;
  readonly #machine: Machine;
  readonly #network: SandboxNetwork;
  readonly #imageUser: string;
  readonly #outputLimitBytes: number;
  #shell: ResidentShell;
  #closing: Promise<void> | null = null;

  private constructor(docker: Docker, machine: Machine, options: OpenOptions) {
    this.id = machine.name;
    this.image = options.layout.main.image;
    this.workdir = options.workdir;
    this.user = options.task.agentUser ?? options.imageUser;
    this.#machine = machine;
    this.#network = new SandboxNetwork(docker, this.id, options.task);
    this.#imageUser = options.imageUser;
    this.#outputLimitBytes = options.outputLimitBytes;
    this.#shell = this.#newShell({ user: this.user });
  }

  static async open(docker: Docker, options: OpenOptions): Promise<DockerSandbox> {
    const machine = await Machine.start(docker, options, options.signal);
    return new DockerSandbox(docker, machine, options);
  }

  get cwd(): string {
    return this.#shell.cwd;
  }

  path(path: string): string {
    return path;
  }

  /** Starts the resident shell. */
  start(signal: AbortSignal): Promise<void> {
    return this.#shell.start(signal);
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
      kill: () => endMarkedProcesses(this.#containerOf(options), user, marker),
    });
  }

  run(command: string, options: RunOptions): Promise<CommandResult> {
    return this.#shell.run(command, options);
  }

  exec(command: string, options: ExecOptions): Promise<CommandResult> {
    return this.#newShell(options).runAndClose(command, options);
  }

  async endProcesses(): Promise<void> {
    this.#shell.close();
    await this.#endAll();
    // Whoever works here next gets a shell of their own.
    if (!this.#closing) this.#shell = this.#newShell({ user: this.user });
  }

  useNetwork(policy: NetworkPolicy | null): Promise<void> {
    return this.#network.use(policy);
  }

  async upload(hostDir: string, path: string, only: string[] | null = null): Promise<void> {
    const under = path.replace(/^\/+/, "");
    try {
      const tar = packFolder(hostDir, { under, only }) as unknown as NodeJS.ReadableStream;
      await this.#machine.container.putArchive(tar, { path: "/" });
    } catch (error) {
      throw asInfraError(error, `copying ${hostDir} into the container failed`);
    }
  }

  async download(path: string, hostDir: string, options: DownloadOptions = {}): Promise<void> {
    try {
      const tar = await this.#containerOf(options).getArchive({ path });
      await extractInto(tar as Readable, hostDir, options);
    } catch (error) {
      if ((error as { statusCode?: number }).statusCode === 404) return;
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
    this.#shell.close();
    this.#closing ??= this.#machine.remove();
    return this.#closing;
  }

  #newShell(place: ProcessPlace): ResidentShell {
    return new ResidentShell({
      // The driver ends with its streams, and it changes the directory itself.
      spawn: (argv) =>
        this.#start(place, {
          argv,
          user: this.#userOf(place),
          cwd: "/",
          env: place.env ?? {},
          tty: undefined,
        }),
      makeRoom: () => this.#endAll(),
      cwd: place.cwd ?? this.#defaultDirectory(place),
      outputLimitBytes: this.#outputLimitBytes,
    });
  }

  async #start(place: ProcessPlace, plan: ExecPlan): Promise<SandboxProcess> {
    try {
      return await startExec(this.#containerOf(place), plan);
    } catch (error) {
      throw await this.#explain(error);
    }
  }

  #endAll(): Promise<void> {
    return endAllProcesses(this.#machine.container).catch(async (error) => {
      throw await this.#explain(error);
    });
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

  /** A container that is gone is the machine's failure, and the error says so. */
  async #explain(error: unknown): Promise<TermRunError> {
    const state = await this.#machine.container.inspect().catch(() => null);
    if (state?.State.Running) return asInfraError(error, "no process could be started");
    const why = state?.State.OOMKilled ? "it ran out of memory" : "it was ended from outside";
    return new TermRunError("infra", `the container ${this.id} is gone: ${why}`, { cause: error });
  }
}

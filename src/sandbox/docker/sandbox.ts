import type { Duplex, Readable } from "node:stream";
import type Docker from "dockerode";
import { asInfraError, TermRunError } from "../../errors.js";
import type {
  AttachOptions,
  CommandResult,
  DownloadOptions,
  ExecOptions,
  NetworkPolicy,
  RunOptions,
  Sandbox,
  Task,
} from "../../interfaces/index.js";
import { withDeadline } from "../../process/deadline.js";
import { quote } from "../../shell-words.js";
import { type DriverProcess, ResidentShell } from "../shell/resident-shell.js";
import { extractInto, packFolder } from "../tar.js";
import { attachTerminal } from "./attach.js";
import { type Belongings, claim } from "./belongings.js";
import { type RunningServices, removeVolumes, startServices } from "./compose/services.js";
import { type GuardedContainer, PIDS_LIMIT, removeContainer, startContainer } from "./container.js";
import { driverOf } from "./driver.js";
import type { Layout } from "./layout.js";
import { chooseNetwork, SandboxNetwork } from "./network.js";

const ROOT = "0";
/** An engine that takes longer is stuck. */
const KILL_DEADLINE_MS = 60_000;

interface DriverOptions {
  user?: string | null;
  cwd?: string;
  env?: Record<string, string>;
  service?: string;
}

interface OpenOptions {
  task: Task;
  layout: Layout;
  trial: string;
  run: string;
  workdir: string;
  /** The image's own user. */
  user: string;
  outputLimit: number;
  signal: AbortSignal;
}

export class DockerSandbox implements Sandbox {
  readonly kind = "docker";
  readonly id: string;
  readonly image: string;
  readonly workdir: string;
  readonly #docker: Docker;
  readonly #container: Docker.Container;
  readonly #lifeline: Duplex;
  readonly #belongings: Belongings;
  readonly #services: RunningServices | null;
  readonly #network: SandboxNetwork;
  /** True when the sandbox itself has volumes of its own. */
  readonly #mounts: boolean;
  readonly #user: string;
  readonly #agentUser: string;
  readonly #outputLimit: number;
  #shell: ResidentShell;
  #kept = false;
  #closing: Promise<void> | null = null;

  private constructor(
    docker: Docker,
    options: OpenOptions,
    parts: { guarded: GuardedContainer; belongings: Belongings; services: RunningServices | null },
  ) {
    this.id = parts.belongings.name;
    this.image = options.layout.main.image;
    this.workdir = options.workdir;
    this.#docker = docker;
    this.#container = parts.guarded.container;
    this.#lifeline = parts.guarded.lifeline;
    this.#belongings = parts.belongings;
    this.#services = parts.services;
    this.#network = new SandboxNetwork(docker, this.id, options.task);
    this.#mounts = (options.layout.mainService?.mounts.length ?? 0) > 0;
    this.#user = options.user;
    this.#agentUser = options.task.agentUser ?? options.user;
    this.#outputLimit = options.outputLimit;
    this.#shell = this.#newShell({ user: this.#agentUser });
  }

  /** Starts the services beside the sandbox, then the sandbox. */
  static async open(docker: Docker, options: OpenOptions): Promise<DockerSandbox> {
    const { task, layout, workdir, signal } = options;
    const belongings = claim(docker, options);
    let services: RunningServices | null = null;
    try {
      if (layout.services.length > 0)
        services = await startServices(
          docker,
          {
            sandbox: belongings.name,
            labels: belongings.labels,
            services: layout.services.map(({ service, need }) => ({ service, image: need.image })),
            internet: task.environment.network?.mode !== "none",
            startTimeoutSec: task.environment.buildTimeoutSec,
          },
          signal,
        );
      const network = services?.network ?? chooseNetwork(task);
      const guarded = await startContainer(
        docker,
        {
          image: layout.main.image,
          workdir,
          task,
          service: layout.mainService,
          network,
          belongings,
        },
        signal,
      );
      return new DockerSandbox(docker, options, { guarded, belongings, services });
    } catch (error) {
      await services?.remove();
      belongings.release();
      throw error;
    }
  }

  get cwd(): string {
    return this.#shell.cwd;
  }

  path(path: string): string {
    return path;
  }

  async start(): Promise<void> {
    await this.#shell.start();
  }

  /** Gives the working directory to the image's own user. */
  async handOver(signal: AbortSignal): Promise<void> {
    const command = `chown -R ${quote(this.#user)} ${quote(this.workdir)}`;
    const result = await this.exec(command, { user: ROOT, timeoutMs: 60_000, signal });
    if (result.exitCode !== 0)
      throw new TermRunError("infra", `${command} failed in the container: ${result.output}`);
  }

  run(command: string, options: RunOptions): Promise<CommandResult> {
    return this.#shell.run(command, options);
  }

  exec(command: string, options: ExecOptions): Promise<CommandResult> {
    return this.#newShell(options).runAndClose(command, options);
  }

  async endProcesses(): Promise<void> {
    this.#shell.close();
    await this.#killAll();
    // Whoever works here next gets a shell of their own.
    if (!this.#closing) this.#shell = this.#newShell({ user: this.#agentUser });
  }

  useNetwork(policy: NetworkPolicy | null): Promise<void> {
    return this.#network.use(policy);
  }

  async upload(hostDir: string, path: string, only: string[] | null = null): Promise<void> {
    const under = path.replace(/^\/+/, "");
    try {
      const tar = packFolder(hostDir, { under, only }) as unknown as NodeJS.ReadableStream;
      await this.#container.putArchive(tar, { path: "/" });
    } catch (error) {
      throw asInfraError(error, `copying ${hostDir} into the container failed`);
    }
  }

  async download(path: string, hostDir: string, options: DownloadOptions = {}): Promise<void> {
    try {
      const tar = await this.#containerOf(options.service).getArchive({ path });
      await extractInto(tar as Readable, hostDir, options);
    } catch (error) {
      if ((error as { statusCode?: number }).statusCode === 404) return;
      throw asInfraError(error, `copying ${path} out of the container failed`);
    }
  }

  async attach(options: AttachOptions): Promise<number> {
    const place = { user: this.#agentUser, cwd: this.cwd };
    try {
      return await attachTerminal(this.#container, place, options);
    } catch (error) {
      options.signal.throwIfAborted();
      throw await this.#explain(error);
    }
  }

  async keep(): Promise<{ enter: string; remove: string }> {
    this.#kept = true;
    this.#lifeline.write("keep\n");
    this.#belongings.release();
    const others = [...(this.#services?.containers.values() ?? [])];
    const network = this.#services ? `; docker network rm ${this.#services.network}` : "";
    return {
      enter: `docker exec -it ${this.id} sh -c ${quote(`cd ${quote(this.cwd)}; exec $(command -v bash || echo sh)`)}`,
      remove: `docker rm -fv ${[this.id, ...others].join(" ")}${network}`,
    };
  }

  close(): Promise<void> {
    this.#closing ??= this.#release();
    return this.#closing;
  }

  async #release(): Promise<void> {
    this.#shell.close();
    try {
      if (!this.#kept) await this.#remove();
    } finally {
      // Without it the guard ends the container, should the engine have failed to.
      this.#lifeline.destroy();
    }
  }

  async #remove(): Promise<void> {
    await removeContainer(this.#container);
    await this.#services?.remove();
    if (this.#mounts) await removeVolumes(this.#docker, this.id);
    this.#belongings.release();
  }

  #newShell(options: DriverOptions): ResidentShell {
    return new ResidentShell({
      start: (argv) => this.#startDriver(argv, options),
      makeRoom: () => this.#killAll(),
      cwd: options.cwd ?? (this.#isService(options.service) ? "/" : this.workdir),
      outputLimit: this.#outputLimit,
    });
  }

  #isService(service: string | undefined): boolean {
    return service !== undefined && this.#services?.containers.has(service) === true;
  }

  #containerOf(service: string | undefined): Docker.Container {
    const name = service === undefined ? undefined : this.#services?.containers.get(service);
    return name === undefined ? this.#container : this.#docker.getContainer(name);
  }

  /** Process 1 is all that outlives this. */
  async #killAll(): Promise<void> {
    const kill = () => this.#startDriver(["-c", "kill -9 -1"], { user: ROOT });
    const allow = (limit: number) => this.#container.update({ PidsLimit: limit });
    let raised = false;
    const driver = await kill().catch(async (error) => {
      // Nothing can be started where the agent used up all processes: make room for one more.
      await allow(2 * PIDS_LIMIT).catch(() => Promise.reject(error));
      raised = true;
      return kill();
    });
    await withDeadline(new Promise<void>((resolve) => driver.onEnd(resolve)), KILL_DEADLINE_MS);
    if (raised) await allow(PIDS_LIMIT);
  }

  async #startDriver(argv: string[], options: DriverOptions): Promise<DriverProcess> {
    try {
      const exec = await this.#containerOf(options.service).exec({
        Cmd: ["/bin/sh", ...argv],
        AttachStdin: true,
        AttachStdout: true,
        AttachStderr: true,
        Tty: false,
        User: options.user ?? (this.#isService(options.service) ? "" : this.#user),
        Env: Object.entries(options.env ?? {}).map(([key, value]) => `${key}=${value}`),
      });
      const stream = await exec.start({ hijack: true, stdin: true, Tty: false });
      return driverOf(stream);
    } catch (error) {
      throw await this.#explain(error);
    }
  }

  /** A container that is gone is the machine's failure, and says so. */
  async #explain(error: unknown): Promise<TermRunError> {
    const state = await this.#container.inspect().catch(() => null);
    if (state?.State.Running) return asInfraError(error, "no process could be started");
    const why = state?.State.OOMKilled ? "it ran out of memory" : "it was ended from outside";
    return new TermRunError("infra", `the container ${this.id} is gone: ${why}`, { cause: error });
  }
}

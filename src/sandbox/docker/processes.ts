import { randomBytes } from "node:crypto";
import type Docker from "dockerode";
import type {
  ProcessPlace,
  RunningProcess,
  SandboxProcess,
  SpawnOptions,
} from "../../interfaces/index.js";
import { MARKER_VARIABLE } from "../../process/index.js";
import type { InitProgram } from "./container.js";
import { endAllProcesses, endMarkedProcesses, setResolver } from "./end-processes.js";
import { type ExecPlan, startExec } from "./exec.js";
import type { ExecExits } from "./exec-exits.js";
import { explainFailure } from "./fault.js";
import type { Machine } from "./machine.js";
import { packInit } from "./tools.js";

interface ProcessesOptions {
  /** The image's own user. */
  imageUser: string;
  workdir: string;
  exits: ExecExits;
  init: InitProgram;
  pidsLimit: number;
}

/** What runs in the containers of one sandbox, and as whom. */
export class Processes {
  readonly #machine: Machine;
  readonly #options: ProcessesOptions;
  #init: string;

  constructor(machine: Machine, options: ProcessesOptions) {
    this.#machine = machine;
    this.#options = options;
    this.#init = options.init.path;
  }

  /** Where term-run's own program is in the container. */
  get init(): string {
    return this.#init;
  }

  spawn(argv: string[], options: SpawnOptions): Promise<SandboxProcess> {
    const marker = randomBytes(8).toString("hex");
    return this.#start(options, {
      argv,
      user: this.#userOf(options),
      cwd: options.cwd ?? this.directoryOf(options),
      env: { ...options.env, [MARKER_VARIABLE]: marker },
      tty: options.tty,
      // A terminal's last output counts as well.
      ...(options.tty ? {} : { exits: this.#options.exits }),
      // A service's container doesn't have the program that kills.
      ...(this.#machine.serviceContainer(options.service)
        ? {}
        : { kill: () => endMarkedProcesses(this.#tools, marker) }),
    });
  }

  /** The driver of a shell, which ends with its streams. */
  spawnDriver(argv: string[], place: ProcessPlace): Promise<SandboxProcess> {
    const env = place.env ?? {};
    const user = this.#userOf(place);
    return this.#start(place, { argv, user, cwd: "/", env, tty: undefined });
  }

  async endAll(keep: readonly RunningProcess[]): Promise<void> {
    try {
      await endAllProcesses(this.#tools, this.#options.pidsLimit, keep);
    } catch (error) {
      throw await this.#explain(error);
    }
  }

  /** Brings term-run's program anew, since the agent may have replaced the one before. */
  async renewInit(): Promise<void> {
    const path = `/.term-run-${randomBytes(8).toString("hex")}`;
    try {
      const tar = await packInit(this.#options.init.file, path);
      await this.#machine.container.putArchive(tar, { path: "/" });
    } catch (error) {
      throw await this.#explain(error);
    }
    this.#init = path;
  }

  /** Makes an address the container's only resolver. */
  setResolver(address: string): Promise<void> {
    return setResolver(this.#tools, address);
  }

  containerOf({ service }: ProcessPlace): Docker.Container {
    return this.#machine.serviceContainer(service) ?? this.#machine.container;
  }

  directoryOf({ service }: ProcessPlace): string {
    return this.#machine.serviceContainer(service) ? "/" : this.#options.workdir;
  }

  async #start(place: ProcessPlace, plan: ExecPlan): Promise<SandboxProcess> {
    try {
      return await startExec(this.containerOf(place), plan);
    } catch (error) {
      throw await this.#explain(error);
    }
  }

  get #tools() {
    return { container: this.#machine.container, init: this.#init };
  }

  #userOf({ user, service }: ProcessPlace): string {
    return user ?? (this.#machine.serviceContainer(service) ? "" : this.#options.imageUser);
  }

  #explain(error: unknown): Promise<Error> {
    return explainFailure(this.#machine.container, error);
  }
}

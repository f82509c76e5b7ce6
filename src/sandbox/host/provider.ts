import { asInfraError } from "../../errors.js";
import type {
  Abilities,
  Sandbox,
  SandboxProvider,
  SandboxRequest,
} from "../../interfaces/index.js";
import { makeScratchFolder } from "../folder.js";
import type { HostSandbox, HostSandboxOptions } from "./sandbox.js";

const DEFAULT_WORKDIR = "/app";

/** Provides sandboxes of one kind over scratch folders of the host. */
export class HostProvider implements SandboxProvider {
  readonly kind: string;
  readonly abilities: Abilities;
  readonly #make: (options: HostSandboxOptions) => HostSandbox;

  constructor(
    { kind, abilities }: { kind: string; abilities: Abilities },
    make: (options: HostSandboxOptions) => HostSandbox,
  ) {
    this.kind = kind;
    this.abilities = abilities;
    this.#make = make;
  }

  async prepare(): Promise<void> {}

  async create(request: SandboxRequest): Promise<Sandbox> {
    const { task, outputLimitBytes, watchdog, signal } = request;
    const { workdir, env, filesDir, cpus, memoryMb } = task.environment;
    const root = await makeScratchFolder(this.kind, watchdog);
    const sandbox = this.#make({
      root,
      workdir: workdir ?? DEFAULT_WORKDIR,
      env,
      cpus,
      memoryMb,
      outputLimitBytes,
      watchdog,
    });
    try {
      await sandbox.open(filesDir, signal);
      return sandbox;
    } catch (error) {
      // The start's error matters more than one of the cleanup.
      await sandbox.close().catch(() => {});
      signal.throwIfAborted();
      throw asInfraError(error, `starting a ${this.kind} sandbox failed`);
    }
  }

  async close(): Promise<void> {}
}

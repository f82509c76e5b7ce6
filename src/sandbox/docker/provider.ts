import type Docker from "dockerode";
import PQueue from "p-queue";
import { asInfraError, TermRunError } from "../../errors.js";
import type {
  PrepareOptions,
  Sandbox,
  SandboxProvider,
  SandboxRequest,
  Task,
} from "../../interfaces/index.js";
import { quote } from "../../shell-words.js";
import { DOCKER_ABILITIES } from "../abilities.js";
import { findInit } from "../native/init.js";
import type { ProviderOptions } from "../provider-options.js";
import { EgressImage } from "./egress/image.js";
import { ROOT } from "./end-processes.js";
import { startupOf } from "./entrypoint.js";
import { ExecExits } from "./exec-exits.js";
import { healthcheckOf } from "./image-health.js";
import { ensureImage, type ImagePlan, planImages } from "./images.js";
import { type Layout, layOut } from "./layout.js";
import { privilegesOf } from "./privileges.js";
import { DockerSandbox, startOrClose } from "./sandbox.js";

const PARALLEL_IMAGES = 2;
const PORTABLE_WORKDIR = "/app";
const INIT_PATH = "/.term-run/init";

export class DockerProvider implements SandboxProvider {
  readonly kind = "docker";
  readonly abilities = DOCKER_ABILITIES;
  readonly #docker: Docker;
  readonly #defaultImage: string;
  readonly #hardened: boolean;
  readonly #exits: ExecExits;
  readonly #egressImage: EgressImage;
  readonly #failedImages = new Map<string, unknown>();

  constructor(docker: Docker, options: ProviderOptions) {
    this.#docker = docker;
    this.#exits = new ExecExits(docker);
    this.#egressImage = new EgressImage(docker);
    this.#defaultImage = options.defaultImage;
    this.#hardened = options.hardened ?? false;
  }

  async prepare(tasks: Task[], options: PrepareOptions): Promise<void> {
    const queue = new PQueue({ concurrency: PARALLEL_IMAGES });
    const plans = await planImages(tasks, this.#defaultImage);
    await queue.addAll(plans.map((plan) => () => this.#prepareImage(plan, options)));
  }

  async #prepareImage(plan: ImagePlan, options: PrepareOptions): Promise<void> {
    if (options.signal.aborted) return;
    const began = performance.now();
    const end = (ok: boolean, cached: boolean, error: unknown) =>
      options.onFinish(plan.image, { ok, cached, error, durationMs: performance.now() - began });
    options.onStart(plan.image, plan.tasks);
    try {
      const { cached } = await ensureImage(this.#docker, plan, options);
      this.#failedImages.delete(plan.image);
      end(true, cached, null);
    } catch (error) {
      this.#failedImages.set(plan.image, error);
      end(false, false, error);
    }
  }

  async create(request: SandboxRequest): Promise<Sandbox> {
    const { task, signal } = request;
    try {
      const layout = await layOut(task, this.#defaultImage);
      this.#refuseFailed(layout);
      const { Config, Architecture } = await this.#docker.getImage(layout.main.image).inspect();
      const { User, WorkingDir } = Config;
      const isPortable = task.environment.source.kind === "portable" && !layout.mainService;
      const sandbox = await DockerSandbox.open(this.#docker, {
        ...request,
        layout,
        workdir:
          task.environment.workdir ??
          layout.mainService?.workdir ??
          (isPortable ? PORTABLE_WORKDIR : WorkingDir || "/"),
        privileges: privilegesOf({ hardened: this.#hardened || task.environment.hardened }),
        imageUser: layout.mainService?.user ?? User,
        exits: this.#exits,
        egressImage: this.#egressImage,
        init: { file: findInit(Architecture), path: INIT_PATH },
        startup: startupOf(Config, layout.mainService),
        healthcheck: awaitsHealth(task) ? healthcheckOf(Config, layout.mainService) : null,
      });
      return await startOrClose(sandbox, async () => {
        const { filesDir } = task.environment;
        if (filesDir) await sandbox.upload(filesDir, sandbox.workdir);
        if (isPortable && User) await handOver(sandbox, User, signal);
        await sandbox.startUp(signal);
        await sandbox.start(signal);
      });
    } catch (error) {
      signal.throwIfAborted();
      throw asInfraError(error, `starting the sandbox of ${task.name} failed`);
    }
  }

  #refuseFailed({ main, services }: Layout): void {
    for (const { image } of [main, ...services.map(({ need }) => need)]) {
      const failure = this.#failedImages.get(image);
      if (failure) throw failure;
    }
  }

  close(): Promise<void> {
    return this.#exits.close();
  }
}

/** With a compose file it depends on the format. */
function awaitsHealth({ environment }: Task): boolean {
  return environment.compose?.awaited ?? true;
}

/** Gives the working directory to the image's own user. */
async function handOver(sandbox: Sandbox, user: string, signal: AbortSignal): Promise<void> {
  const command = `chown -R ${quote(user)} ${quote(sandbox.workdir)}`;
  const result = await sandbox.exec(command, { user: ROOT, timeoutMs: 60_000, signal });
  if (result.exitCode !== 0)
    throw new TermRunError("infra", `${command} failed in the container: ${result.output}`);
}

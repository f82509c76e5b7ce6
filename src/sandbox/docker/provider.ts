import type Docker from "dockerode";
import PQueue from "p-queue";
import { asInfraError } from "../../errors.js";
import type { PrepareOptions, Sandbox, SandboxProvider, Task } from "../../interfaces.js";
import { startContainer } from "./container.js";
import { ensureImage, type ImagePlan, imageOf, planImages } from "./images.js";
import { DockerSandbox } from "./sandbox.js";

const PARALLEL_IMAGES = 2;
const PORTABLE_WORKDIR = "/app";

export class DockerProvider implements SandboxProvider {
  readonly kind = "docker";
  readonly #docker: Docker;
  readonly #defaultImage: string;
  readonly #outputLimit: number;
  readonly #failedImages = new Map<string, unknown>();

  constructor(docker: Docker, options: { defaultImage: string; outputLimit: number }) {
    this.#docker = docker;
    this.#defaultImage = options.defaultImage;
    this.#outputLimit = options.outputLimit;
  }

  unsupported(): string | null {
    return null;
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
    options.onStart(
      plan.image,
      plan.tasks.map((task) => task.name),
    );
    try {
      const { cached } = await ensureImage(this.#docker, plan, options);
      this.#failedImages.delete(plan.image);
      end(true, cached, null);
    } catch (error) {
      this.#failedImages.set(plan.image, error);
      end(false, false, error);
    }
  }

  async create(
    task: Task,
    options: { trial: string; run: string; signal: AbortSignal },
  ): Promise<Sandbox> {
    const image = await imageOf(task, this.#defaultImage);
    const failure = this.#failedImages.get(image);
    if (failure) throw failure;
    try {
      const { User, WorkingDir } = (await this.#docker.getImage(image).inspect()).Config;
      const portable = task.environment.source.kind === "portable";
      const workdir = task.environment.workdir ?? (portable ? PORTABLE_WORKDIR : WorkingDir || "/");
      const guarded = await startContainer(
        this.#docker,
        { image, workdir, task, trial: options.trial, run: options.run },
        options.signal,
      );
      const sandbox = new DockerSandbox(guarded, {
        image,
        workdir,
        user: User,
        outputLimit: this.#outputLimit,
      });
      try {
        if (task.environment.filesDir) await sandbox.upload(task.environment.filesDir, workdir);
        if (portable && User) await sandbox.handOver(options.signal);
        await sandbox.start();
        return sandbox;
      } catch (error) {
        await sandbox.close();
        throw error;
      }
    } catch (error) {
      options.signal.throwIfAborted();
      throw asInfraError(error, `starting a container from ${image} failed`);
    }
  }

  async close(): Promise<void> {}
}

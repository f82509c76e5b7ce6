import type Docker from "dockerode";
import PQueue from "p-queue";
import { asInfraError } from "../../errors.js";
import type { PrepareOptions, Sandbox, SandboxProvider, Task } from "../../interfaces/index.js";
import { ensureImage, type ImagePlan, planImages } from "./images.js";
import { type Layout, layOut } from "./layout.js";
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

  unsupported(task: Task): string | null {
    const parts = task.parts?.list.map((part) => part.task) ?? [];
    const all = [task, ...parts];
    const policies = all.flatMap(({ environment, agentNetwork, verifier }) =>
      [environment.network, agentNetwork, verifier.network].filter((policy) => policy !== null),
    );
    if (policies.some(({ mode }) => mode === "allowlist"))
      return "it needs a network with a list of allowed hosts, which this engine can't enforce";
    const modes = new Set(policies.map(({ mode }) => mode));
    if (task.environment.compose && modes.size > 1)
      return "its network changes between phases, which can't be done with services beside it";
    if (parts.some(({ agentUser }) => agentUser !== task.agentUser))
      return "its parts have different users";
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

  async create(
    task: Task,
    options: { trial: string; run: string; signal: AbortSignal },
  ): Promise<Sandbox> {
    try {
      const layout = await layOut(task, this.#defaultImage);
      this.#refuseFailed(layout);
      const { User, WorkingDir } = (await this.#docker.getImage(layout.main.image).inspect())
        .Config;
      const portable = task.environment.source.kind === "portable" && !layout.mainService;
      const sandbox = await DockerSandbox.open(this.#docker, {
        ...options,
        task,
        layout,
        workdir:
          task.environment.workdir ??
          layout.mainService?.workdir ??
          (portable ? PORTABLE_WORKDIR : WorkingDir || "/"),
        user: layout.mainService?.user ?? User,
        outputLimit: this.#outputLimit,
      });
      try {
        const { filesDir } = task.environment;
        if (filesDir) await sandbox.upload(filesDir, sandbox.workdir);
        if (portable && User) await sandbox.handOver(options.signal);
        await sandbox.start();
        return sandbox;
      } catch (error) {
        await sandbox.close();
        throw error;
      }
    } catch (error) {
      options.signal.throwIfAborted();
      throw asInfraError(error, `starting the sandbox of ${task.name} failed`);
    }
  }

  #refuseFailed({ main, services }: Layout): void {
    for (const { image } of [main, ...services.map(({ need }) => need)]) {
      const failure = this.#failedImages.get(image);
      if (failure) throw failure;
    }
  }

  async close(): Promise<void> {}
}

import type { Readable } from "node:stream";
import type Docker from "dockerode";
import { asInfraError, messageOf, TermRunError } from "../../errors.js";
import type { PrepareOptions, Task } from "../../interfaces/index.js";
import { buildImage } from "./builder/build-image.js";
import { dockerfilePath } from "./builder/dockerfile-path.js";
import { EngineFailure, type Following, followProgress } from "./builder/progress.js";
import { environmentsOf, type ImageNeed, layOut } from "./layout.js";

const LOG_LINES = 40;
const SHOWN_LINES = 12;

export interface ImagePlan extends ImageNeed {
  tasks: string[];
  timeoutSec: number;
}

/** Which images the tasks need, each once. */
export async function planImages(tasks: Task[], defaultImage: string): Promise<ImagePlan[]> {
  const plans = new Map<string, ImagePlan>();
  for (const task of tasks)
    for (const part of environmentsOf(task)) {
      const layout = await layOut(part, defaultImage).catch(() => null);
      // What can't be laid out fails when it is started, for that task only.
      if (!layout) continue;
      for (const need of [layout.main, ...layout.services.map((entry) => entry.need)])
        addPlan(plans, need, task.name, part.environment.buildTimeoutSec);
    }
  return [...plans.values()];
}

function addPlan(
  plans: Map<string, ImagePlan>,
  need: ImageNeed,
  task: string,
  timeoutSec: number,
): void {
  const plan = plans.get(need.image);
  if (!plan) plans.set(need.image, { ...need, tasks: [task], timeoutSec });
  else {
    if (!plan.tasks.includes(task)) plan.tasks.push(task);
    plan.timeoutSec = Math.max(plan.timeoutSec, timeoutSec);
  }
}

/** Makes one image available; true when it was there already. */
export async function ensureImage(
  docker: Docker,
  plan: ImagePlan,
  options: Pick<PrepareOptions, "signal" | "onProgress">,
): Promise<{ cached: boolean }> {
  if (await hasImage(docker, plan.image)) return { cached: true };
  const timeout = AbortSignal.timeout(plan.timeoutSec * 1000);
  const signal = AbortSignal.any([options.signal, timeout]);
  const log: string[] = [];
  const note = (line: string) => {
    log.push(line);
    if (log.length > LOG_LINES) log.shift();
    options.onProgress(plan.image, line);
  };
  try {
    await (plan.build
      ? buildImage(docker, plan.image, plan.build, { signal, note })
      : pullImage(docker, plan.image, { signal, note }));
    return { cached: false };
  } catch (error) {
    options.signal.throwIfAborted();
    throw explainFailure(plan, log, timeout.aborted ? null : error);
  }
}

async function pullImage(docker: Docker, image: string, { signal, note }: Following) {
  const stream = await docker.pull(image, { abortSignal: signal });
  await followProgress(docker, stream as Readable, { signal, note });
}

async function hasImage(docker: Docker, image: string): Promise<boolean> {
  try {
    await docker.getImage(image).inspect();
    return true;
  } catch (error) {
    if ((error as { statusCode?: number }).statusCode === 404) return false;
    throw asInfraError(error, `asking the engine for ${image} failed`);
  }
}

function explainFailure(plan: ImagePlan, log: string[], error: unknown): TermRunError {
  const what = plan.build ? "building" : "pulling";
  const why = error ? messageOf(error) : `it took longer than ${plan.timeoutSec} s`;
  const output = error instanceof EngineFailure ? error.output : null;
  const tail = (output ?? log).slice(-SHOWN_LINES).map((line) => `    ${line}`);
  const message = [`${what} the image ${plan.image} failed: ${why}`, ...tail].join("\n");
  const hint = error instanceof TermRunError && error.hint ? error.hint : hintOf(plan);
  return new TermRunError("infra", message, { hint, cause: error });
}

function hintOf({ image, build }: ImagePlan): string {
  const file = build && build.dockerfile !== "Dockerfile" ? ` -f ${dockerfilePath(build)}` : "";
  return build
    ? `Fix the build until this works, then run again: docker build -t ${image}${file} ${build.contextDir}`
    : `Pull or load it by hand: docker pull ${image}. Tasks without an image of their own can use another one: --image NAME`;
}

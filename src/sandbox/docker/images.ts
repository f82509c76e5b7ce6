import type { Readable } from "node:stream";
import type Docker from "dockerode";
import { asInfraError, messageOf, TermRunError } from "../../errors.js";
import type { PrepareOptions, Task } from "../../interfaces.js";
import { digestFolder } from "../../task/digest.js";
import { packFolder } from "../tar.js";

const LOG_LINES = 40;

export interface ImagePlan {
  image: string;
  /** Set when it is built, not pulled. */
  contextDir: string | null;
  tasks: Task[];
  timeoutSec: number;
}

/** Which images the tasks need, each once. */
export async function planImages(tasks: Task[], defaultImage: string): Promise<ImagePlan[]> {
  const plans = new Map<string, ImagePlan>();
  for (const task of tasks) {
    const image = await imageOf(task, defaultImage);
    const { source, buildTimeoutSec } = task.environment;
    const contextDir = source.kind === "build" ? source.contextDir : null;
    const plan = plans.get(image);
    if (plan) {
      plan.tasks.push(task);
      plan.timeoutSec = Math.max(plan.timeoutSec, buildTimeoutSec);
    } else plans.set(image, { image, contextDir, tasks: [task], timeoutSec: buildTimeoutSec });
  }
  return [...plans.values()];
}

/** A built image is named after its content, so that an unchanged one is never built twice. */
export async function imageOf(task: Task, defaultImage: string): Promise<string> {
  const { source } = task.environment;
  if (source.kind === "image") return source.image;
  if (source.kind === "portable") return defaultImage;
  const hash = (await digestFolder(source.contextDir)).slice(0, 16);
  const name = task.name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return `term-run/${name || "task"}:${hash}`;
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
    const stream = plan.contextDir
      ? await docker.buildImage(packFolder(plan.contextDir) as unknown as NodeJS.ReadableStream, {
          t: plan.image,
          rm: true,
          forcerm: true,
          abortSignal: signal,
        })
      : await docker.pull(plan.image, { abortSignal: signal });
    await followProgress(docker, stream as Readable, signal, note);
    return { cached: false };
  } catch (error) {
    options.signal.throwIfAborted();
    throw explainFailure(plan, log, timeout.aborted ? null : error);
  }
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

interface ProgressLine {
  stream?: string;
  status?: string;
  id?: string;
  progress?: string;
  error?: string;
}

function followProgress(
  docker: Docker,
  stream: Readable,
  signal: AbortSignal,
  note: (line: string) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => stream.destroy(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    stream.once("error", reject);
    const finished = (error: Error | null) => {
      signal.removeEventListener("abort", onAbort);
      error ? reject(error) : resolve();
    };
    docker.modem.followProgress(stream, finished, (line: ProgressLine) => {
      if (line.error) reject(new Error(line.error));
      const text = line.error ?? line.stream ?? [line.id, line.status].filter(Boolean).join(": ");
      for (const part of text.split("\n")) if (part.trim() !== "") note(part.trimEnd());
    });
  });
}

function explainFailure(plan: ImagePlan, log: string[], error: unknown): TermRunError {
  const what = plan.contextDir ? "building" : "pulling";
  const why = error ? messageOf(error) : `it took longer than ${plan.timeoutSec} s`;
  const tail = log.slice(-12).map((line) => `    ${line}`);
  const message = [`${what} the image ${plan.image} failed: ${why}`, ...tail].join("\n");
  const hint = plan.contextDir
    ? `Once this works, the run goes on with it: docker build -t ${plan.image} ${plan.contextDir}`
    : `Pull or load it by hand: docker pull ${plan.image}. Tasks without an image of their own can use another one: --image NAME`;
  return new TermRunError("infra", message, { hint, cause: error });
}

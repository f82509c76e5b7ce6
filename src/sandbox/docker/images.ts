import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import dockerignore from "@balena/dockerignore";
import type Docker from "dockerode";
import { asInfraError, messageOf, TermRunError } from "../../errors.js";
import type { PrepareOptions, Task } from "../../interfaces/index.js";
import type { Build } from "../../task/index.js";
import { packFolder } from "../tar.js";
import { environmentsOf, type ImageNeed, layOut } from "./layout.js";

const LOG_LINES = 40;

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
    const stream = plan.build
      ? await startBuild(docker, plan.image, plan.build, signal)
      : await docker.pull(plan.image, { abortSignal: signal });
    await followProgress(docker, stream as Readable, signal, note);
    return { cached: false };
  } catch (error) {
    options.signal.throwIfAborted();
    throw explainFailure(plan, log, timeout.aborted ? null : error);
  }
}

async function startBuild(
  docker: Docker,
  image: string,
  { contextDir, dockerfile, args, target, network, extraHosts = [] }: Build,
  signal: AbortSignal,
): Promise<NodeJS.ReadableStream> {
  const context = packFolder(contextDir, { ignore: await readIgnore(contextDir, dockerfile) });
  return docker.buildImage(context as unknown as NodeJS.ReadableStream, {
    t: image,
    dockerfile,
    buildargs: args,
    ...(target ? { target } : {}),
    ...(network ? { networkmode: network } : {}),
    ...(extraHosts.length > 0 ? { extrahosts: extraHosts.join(",") } : {}),
    rm: true,
    forcerm: true,
    abortSignal: signal,
  });
}

/** What `.dockerignore` keeps out of the build; the Dockerfile itself is always sent. */
export async function readIgnore(
  dir: string,
  dockerfile: string,
): Promise<(path: string) => boolean> {
  const text = await readFile(join(dir, ".dockerignore"), "utf8").catch(() => "");
  const rules = dockerignore.default().add(text);
  return (path) => path !== dockerfile && path !== ".dockerignore" && rules.ignores(path);
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
  const what = plan.build ? "building" : "pulling";
  const why = error ? messageOf(error) : `it took longer than ${plan.timeoutSec} s`;
  const tail = log.slice(-12).map((line) => `    ${line}`);
  const message = [`${what} the image ${plan.image} failed: ${why}`, ...tail].join("\n");
  const hint = plan.build
    ? `Fix the build until this works, then run again: docker build -t ${plan.image} ${plan.build.contextDir}`
    : `Pull or load it by hand: docker pull ${plan.image}. Tasks without an image of their own can use another one: --image NAME`;
  return new TermRunError("infra", message, { hint, cause: error });
}

import { randomBytes } from "node:crypto";
import type { Duplex } from "node:stream";
import { fileURLToPath } from "node:url";
import type Docker from "dockerode";
import type { Task } from "../../interfaces.js";
import { watchdog } from "../../process/watchdog.js";
import { quote } from "../shell/script.js";
import { GUARD } from "./guard.js";

const REMOVE_SCRIPT = fileURLToPath(new URL("./remove-container.mjs", import.meta.url));

const RUN_LABEL = "term-run.run";
const TRIAL_LABEL = "term-run.trial";

export const PIDS_LIMIT = 4096;
/** Of Docker's default set, what no terminal task should need. */
const DROPPED_CAPABILITIES = ["MKNOD", "NET_RAW", "SETPCAP"];

export interface ContainerPlan {
  image: string;
  workdir: string;
  task: Task;
  trial: string;
  run: string;
}

export interface GuardedContainer {
  container: Docker.Container;
  name: string;
  /** The guard's stdin: while it is open the container lives. */
  lifeline: Duplex;
}

/** Creates and starts a container that can't outlive this process. */
export async function startContainer(
  docker: Docker,
  plan: ContainerPlan,
  signal: AbortSignal,
): Promise<GuardedContainer> {
  const name = containerName(plan.trial);
  watchdog.watchCommand(name, removal(docker, name));
  try {
    const container = await docker.createContainer({
      ...createOptions(plan),
      name,
      abortSignal: signal,
    });
    const lifeline = (await container.attach({
      stream: true,
      stdin: true,
      hijack: true,
      abortSignal: signal,
    })) as unknown as Duplex;
    lifeline.on("error", () => {});
    lifeline.resume();
    await container.start({ abortSignal: signal });
    return { container, name, lifeline };
  } catch (error) {
    await removeContainer(docker.getContainer(name));
    watchdog.releaseCommand(name);
    throw error;
  }
}

/** The line of shell that removes a container after the runner's death. */
function removal(docker: Docker, name: string): string {
  const { socketPath } = docker.modem as unknown as { socketPath?: string };
  const where = process.env.DOCKER_HOST || !socketPath ? "null" : JSON.stringify({ socketPath });
  const variables = Object.entries(process.env)
    .filter(([key]) => key.startsWith("DOCKER_"))
    .map(([key, value]) => `${key}=${quote(value ?? "")}`);
  const words = [process.execPath, REMOVE_SCRIPT, name, where].map(quote);
  return ["exec env", ...variables, ...words].join(" ");
}

export async function removeContainer(container: Docker.Container): Promise<void> {
  try {
    await container.remove({ force: true, v: true });
  } catch (error) {
    // 404: gone already; 409: the engine is removing it by itself.
    const status = (error as { statusCode?: number }).statusCode;
    if (status !== 404 && status !== 409) throw error;
  }
}

function createOptions({ image, workdir, task, trial, run }: ContainerPlan) {
  const { cpus, memoryMb, network, env } = task.environment;
  return {
    Image: image,
    Entrypoint: ["/bin/sh", "-c", GUARD],
    Cmd: [],
    // The guard is root's, so that no agent of another user can touch it.
    User: "0",
    WorkingDir: workdir,
    Hostname: "term-run",
    Env: Object.entries(env).map(([key, value]) => `${key}=${value}`),
    Labels: { [RUN_LABEL]: run, [TRIAL_LABEL]: trial },
    OpenStdin: true,
    StdinOnce: true,
    AttachStdin: true,
    AttachStdout: false,
    AttachStderr: false,
    Tty: false,
    Healthcheck: { Test: ["NONE"] },
    HostConfig: {
      AutoRemove: true,
      NetworkMode: network?.mode === "none" ? "none" : "bridge",
      PidsLimit: PIDS_LIMIT,
      SecurityOpt: ["no-new-privileges"],
      CapDrop: DROPPED_CAPABILITIES,
      LogConfig: { Type: "none", Config: {} },
      ...(memoryMb ? { Memory: memoryMb * 1024 * 1024, MemorySwap: memoryMb * 1024 * 1024 } : {}),
      ...(cpus ? { NanoCpus: cpus * 1e9 } : {}),
    },
  };
}

function containerName(trial: string): string {
  const readable = trial.replace(/[^a-zA-Z0-9_.-]+/g, "-").slice(0, 60);
  return `term-run-${readable}-${randomBytes(4).toString("hex")}`;
}

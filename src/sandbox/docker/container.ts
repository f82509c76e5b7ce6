import type { Duplex } from "node:stream";
import type Docker from "dockerode";
import type { Task } from "../../interfaces/index.js";
import { withDeadline } from "../../process/deadline.js";
import type { Belongings } from "./belongings.js";
import type { Service } from "./compose/service.js";
import { mountsOf } from "./compose/services.js";
import { GUARD } from "./guard.js";

export const PIDS_LIMIT = 4096;
/** Much may have to be deleted, on a busy machine; an engine that takes longer is stuck. */
const REMOVE_DEADLINE_MS = 300_000;
/** Of Docker's default set, what no terminal task should need. */
const DROPPED_CAPABILITIES = ["MKNOD", "NET_RAW", "SETPCAP"];
/** Places of the runner's own, which compose files of other harnesses mount from the host. */
const OWN_PLACES = /^\/(logs|agent-logs)(\/|$)/;

export interface ContainerPlan {
  image: string;
  workdir: string;
  task: Task;
  /** What a compose file says of the sandbox itself. */
  service: Service | null;
  network: string;
  belongings: Belongings;
}

export interface GuardedContainer {
  container: Docker.Container;
  /** The guard's stdin: while it is open the container lives. */
  lifeline: Duplex;
}

/** Creates and starts a container that can't outlive this process. */
export async function startContainer(
  docker: Docker,
  plan: ContainerPlan,
  signal: AbortSignal,
): Promise<GuardedContainer> {
  const { name } = plan.belongings;
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
    return { container, lifeline };
  } catch (error) {
    await removeContainer(docker.getContainer(name));
    throw error;
  }
}

export async function removeContainer(container: Docker.Container): Promise<void> {
  try {
    await withDeadline(container.remove({ force: true, v: true }), REMOVE_DEADLINE_MS);
  } catch (error) {
    // 404: gone already; 409: the engine is removing it by itself.
    const status = (error as { statusCode?: number }).statusCode;
    if (status !== 404 && status !== 409) throw error;
  }
}

function createOptions({ image, workdir, task, service, network, belongings }: ContainerPlan) {
  const { cpus, memoryMb, env } = task.environment;
  const memory = memoryMb ? memoryMb * 1024 * 1024 : service?.memoryBytes;
  const processors = cpus ?? service?.cpus;
  const mounts = (service?.mounts ?? []).filter(({ target }) => !OWN_PLACES.test(target));
  return {
    Image: image,
    Entrypoint: ["/bin/sh", "-c", GUARD],
    Cmd: [],
    // The guard is root's, so that no agent of another user can touch it.
    User: "0",
    WorkingDir: workdir,
    Hostname: service?.hostname ?? "term-run",
    Env: Object.entries({ ...service?.environment, ...env }).map(
      ([key, value]) => `${key}=${value}`,
    ),
    Labels: belongings.labels,
    OpenStdin: true,
    StdinOnce: true,
    AttachStdin: true,
    AttachStdout: false,
    AttachStderr: false,
    Tty: false,
    Healthcheck: { Test: ["NONE"] },
    HostConfig: {
      AutoRemove: true,
      NetworkMode: network,
      PidsLimit: PIDS_LIMIT,
      SecurityOpt: ["no-new-privileges"],
      CapAdd: service?.capAdd ?? [],
      CapDrop: DROPPED_CAPABILITIES,
      Mounts: mountsOf(mounts, { sandbox: belongings.name, labels: belongings.labels }),
      LogConfig: { Type: "none", Config: {} },
      ...(memory ? { Memory: memory, MemorySwap: memory } : {}),
      ...(processors ? { NanoCpus: processors * 1e9 } : {}),
      ...(service?.shmBytes ? { ShmSize: service.shmBytes } : {}),
    },
    ...(service && network.startsWith(belongings.name)
      ? { NetworkingConfig: { EndpointsConfig: { [network]: { Aliases: service.aliases } } } }
      : {}),
  };
}

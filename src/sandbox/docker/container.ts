import type { Duplex } from "node:stream";
import type Docker from "dockerode";
import type { Task } from "../../interfaces/index.js";
import type { Teardown } from "../../process/index.js";
import { initCommands } from "../native/init.js";
import type { Service } from "./compose/service.js";
import { mountsOf } from "./compose/service-options.js";
import type { Gate } from "./egress/gate.js";
import type { ResourceLabels } from "./labels.js";
import type { Privileges } from "./privileges.js";
import { removeContainer } from "./remove-container.js";
import { packMachine } from "./tools.js";

/** Places of the runner's own, which compose files of other harnesses mount from the host. */
const OWN_PATHS = /^\/(logs|agent-logs)(\/|$)/;

export interface ContainerPlan {
  image: string;
  workdir: string;
  task: Task;
  /** What a compose file says of the sandbox itself. */
  service: Service | null;
  network: string;
  gate: Gate | null;
  privileges: Privileges;
  init: InitProgram;
  resources: ResourceLabels;
}

/** term-run's own program, on the host and in the container. */
export interface InitProgram {
  file: string;
  path: string;
}

/**
 * Creates and starts a container that can't outlive this process. Its guard's stdin is returned:
 * the container lives while that is open.
 */
export async function startContainer(
  docker: Docker,
  plan: ContainerPlan,
  teardown: Teardown,
  signal: AbortSignal,
): Promise<Duplex> {
  const { name } = plan.resources;
  const container = docker.getContainer(name);
  let lifeline: Duplex | null = null;
  // Without its lifeline the container ends by itself, should the engine fail to remove it.
  teardown.add(() => lifeline?.destroy());
  teardown.add(() => removeContainer(container));
  await docker.createContainer({ ...createOptions(plan), name, abortSignal: signal });
  await plan.gate?.admit(name);
  const files = await packMachine(plan.init.file, plan.init.path);
  await container.putArchive(files, { path: "/", abortSignal: signal });
  const stream = await container.attach({
    stream: true,
    stdin: true,
    hijack: true,
    abortSignal: signal,
  });
  lifeline = stream as unknown as Duplex;
  lifeline.on("error", () => {});
  lifeline.resume();
  await container.start({ abortSignal: signal });
  return lifeline;
}

function createOptions(plan: ContainerPlan) {
  const { image, workdir, task, service, network, gate, privileges, resources } = plan;
  const { cpus, memoryMb, env } = task.environment;
  const memory = memoryMb ? memoryMb * 1024 * 1024 : service?.memoryBytes;
  const processors = cpus ?? service?.cpus;
  const mounts = (service?.mounts ?? []).filter(({ target }) => !OWN_PATHS.test(target));
  return {
    Image: image,
    Entrypoint: initCommands.hold(plan.init.path, gate?.resolver),
    Cmd: [],
    // The guard is root's, so that no agent of another user can touch it.
    User: "0",
    WorkingDir: workdir,
    Hostname: service?.hostname ?? "term-run",
    Env: Object.entries({ ...service?.environment, ...env }).map(
      ([key, value]) => `${key}=${value}`,
    ),
    Labels: resources.labels,
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
      ...(gate ? { Dns: [gate.resolver] } : {}),
      PidsLimit: privileges.pidsLimit,
      SecurityOpt: privileges.securityOptions,
      CapAdd: service?.capAdd ?? [],
      CapDrop: [...privileges.dropped, ...(service?.capDrop ?? [])],
      Mounts: mountsOf(mounts, resources),
      LogConfig: { Type: "none", Config: {} },
      ...(memory ? { Memory: memory, MemorySwap: memory } : {}),
      ...(processors ? { NanoCpus: processors * 1e9 } : {}),
      ...(service?.shmBytes ? { ShmSize: service.shmBytes } : {}),
    },
    ...(service && network.startsWith(resources.name)
      ? { NetworkingConfig: { EndpointsConfig: { [network]: { Aliases: service.aliases } } } }
      : {}),
  };
}

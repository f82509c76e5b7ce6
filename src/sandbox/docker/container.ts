import type { Duplex } from "node:stream";
import type Docker from "dockerode";
import type { Task } from "../../interfaces/index.js";
import type { Teardown } from "../../process/index.js";
import type { Service } from "../../task/index.js";
import { initCommands } from "../native/init.js";
import { packFiles } from "./compose/files.js";
import { hostOptions } from "./compose/host-options.js";
import { joinOthers, type Placement, placementOptions } from "./compose/networks.js";
import { environmentList } from "./compose/service-options.js";
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
  placement: Placement;
  /** Names of the containers of services. */
  containerOf: (service: string) => string;
  gate: Gate | null;
  privileges: Privileges;
  init: InitProgram;
  resources: ResourceLabels;
  /** A container whose volumes it shares, instead of having its own. */
  volumesFrom: string | null;
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
  const files = await packMachine(plan.init.file, plan.init.path);
  await container.putArchive(files, { path: "/", abortSignal: signal });
  const own = plan.service?.files ?? [];
  if (own.length > 0)
    await container.putArchive(packFiles(own), { path: "/", abortSignal: signal });
  await joinOthers(docker, name, plan.placement);
  await gateOf(plan)?.admit(name);
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

function createOptions(plan: ContainerPlan): Docker.ContainerCreateOptions {
  const { image, workdir, task, service, placement, privileges, resources, volumesFrom } = plan;
  const { cpus, memoryMb, env } = task.environment;
  const memory = memoryMb ? memoryMb * 1024 * 1024 : service?.limits.memoryBytes;
  const processors = cpus ?? service?.limits.cpus;
  const network = placementOptions(placement);
  const gate = gateOf(plan);
  const isShared = network.mode.startsWith("container:");
  const own = service
    ? hostOptions(withOwnMounts(service, volumesFrom), resources, plan.containerOf)
    : {};
  return {
    Image: image,
    Entrypoint: initCommands.hold(plan.init.path, gate?.resolver),
    Cmd: [],
    // The guard is root's, so that no agent of another user can touch it.
    User: "0",
    WorkingDir: workdir,
    ...(isShared ? {} : { Hostname: service?.hostname ?? "term-run" }),
    ...(service?.domainname ? { Domainname: service.domainname } : {}),
    Env: environmentList({ ...service?.environment, ...env }),
    Labels: resources.labels,
    OpenStdin: true,
    StdinOnce: true,
    AttachStdin: true,
    AttachStdout: false,
    AttachStderr: false,
    Tty: false,
    Healthcheck: { Test: ["NONE"] },
    HostConfig: {
      ...own,
      AutoRemove: true,
      NetworkMode: network.mode,
      ...network.dns,
      ...(gate ? { Dns: [gate.resolver] } : {}),
      PidsLimit: pidsLimitOf(plan),
      SecurityOpt: [...privileges.securityOptions, ...(service?.securityOptions ?? [])],
      CapDrop: [...privileges.dropped, ...(service?.capDrop ?? [])],
      ...(volumesFrom === null ? {} : { VolumesFrom: [volumesFrom] }),
      LogConfig: { Type: "none", Config: {} },
      ...(memory ? { Memory: memory, MemorySwap: own.MemorySwap ?? memory } : {}),
      ...(processors ? { NanoCpus: processors * 1e9 } : {}),
    },
    ...network.config,
  };
}

/** What controls the container's network, unless its compose file gives it another one. */
function gateOf({ gate, placement }: ContainerPlan): Gate | null {
  return gate?.admits(placement) ? gate : null;
}

function pidsLimitOf({ service, privileges }: ContainerPlan): number {
  const own = service?.limits.pids ?? 0;
  return own > 0 ? own : privileges.pidsLimit;
}

/** What is mounted besides the volumes of another container. */
function withOwnMounts(service: Service, volumesFrom: string | null): Service {
  const mounts = service.mounts
    .filter(({ target }) => !OWN_PATHS.test(target))
    .filter(({ kind }) => volumesFrom === null || kind === "tmpfs");
  return { ...service, mounts };
}

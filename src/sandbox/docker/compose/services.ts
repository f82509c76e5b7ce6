import type Docker from "dockerode";
import { TermRunError } from "../../../errors.js";
import type { Mount, Service } from "./service.js";

const HEALTH_POLL_MS = 100;

export interface ServicesPlan {
  /** The sandbox's name: a prefix and a label of all that belongs to it. */
  sandbox: string;
  labels: Record<string, string>;
  services: { service: Service; image: string }[];
  /** Without it services reach each other and nothing else. */
  internet: boolean;
  startTimeoutSec: number;
}

export interface RunningServices {
  network: string;
  /** Names of the services' containers. */
  containers: Map<string, string>;
  /** Stops and removes all of it. */
  remove(): Promise<void>;
}

/** Starts what stands beside a sandbox, each service once what it depends on is ready. */
export async function startServices(
  docker: Docker,
  plan: ServicesPlan,
  signal: AbortSignal,
): Promise<RunningServices> {
  const network = `${plan.sandbox}-net`;
  const containers = new Map<string, string>();
  const remove = () => removeAll(docker, plan, [...containers.values()], network);
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(plan.startTimeoutSec * 1000)]);
  try {
    await docker.createNetwork({
      Name: network,
      Driver: "bridge",
      Internal: !plan.internet,
      Labels: plan.labels,
    });
    for (const { service, image } of plan.services) {
      for (const { name, condition } of service.dependsOn) {
        const needed = containers.get(name);
        if (needed) await awaitCondition(docker, needed, name, condition, deadline);
      }
      const name = `${plan.sandbox}-${service.name}`;
      containers.set(service.name, name);
      const container = await docker.createContainer(
        createOptions(service, { name, image, network, plan }),
      );
      await container.start();
    }
    // As a task's own start would: ready when all that can be healthy is.
    for (const { service } of plan.services)
      if (service.healthcheck) {
        const name = containers.get(service.name) as string;
        await awaitCondition(docker, name, service.name, "service_healthy", deadline);
      }
    return { network, containers, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

function createOptions(
  service: Service,
  {
    name,
    image,
    network,
    plan,
  }: { name: string; image: string; network: string; plan: ServicesPlan },
): Docker.ContainerCreateOptions {
  const { healthcheck } = service;
  return {
    name,
    Image: image,
    ...(service.command ? { Cmd: service.command } : {}),
    ...(service.entrypoint ? { Entrypoint: service.entrypoint } : {}),
    ...(service.workdir ? { WorkingDir: service.workdir } : {}),
    ...(service.user ? { User: service.user } : {}),
    Hostname: service.hostname ?? service.name,
    Env: Object.entries(service.environment).map(([key, value]) => `${key}=${value}`),
    Labels: plan.labels,
    ...(healthcheck
      ? {
          Healthcheck: {
            Test: healthcheck.test,
            Interval: healthcheck.intervalNs,
            Timeout: healthcheck.timeoutNs,
            StartPeriod: healthcheck.startPeriodNs,
            Retries: healthcheck.retries,
          },
        }
      : {}),
    HostConfig: {
      NetworkMode: service.networked ? network : "none",
      Init: true,
      Mounts: mountsOf(service.mounts, plan),
      CapAdd: service.capAdd,
      CapDrop: service.capDrop,
      SecurityOpt: ["no-new-privileges"],
      ...(service.cpus ? { NanoCpus: service.cpus * 1e9 } : {}),
      ...(service.memoryBytes ? { Memory: service.memoryBytes } : {}),
      ...(service.shmBytes ? { ShmSize: service.shmBytes } : {}),
    },
    ...(service.networked
      ? { NetworkingConfig: { EndpointsConfig: { [network]: { Aliases: service.aliases } } } }
      : {}),
  };
}

/** Named volumes belong to the trial: two trials never share one. */
export function mountsOf(
  mounts: Mount[],
  plan: Pick<ServicesPlan, "sandbox" | "labels">,
): Docker.MountSettings[] {
  return mounts.map((mount): Docker.MountSettings => {
    if (mount.kind === "tmpfs") return { Type: "tmpfs", Target: mount.target, Source: "" };
    const { source, target: Target, readOnly: ReadOnly } = mount;
    if (mount.kind === "bind") return { Type: "bind", Source: source, Target, ReadOnly };
    return {
      Type: "volume",
      Source: source === "" ? "" : `${plan.sandbox}-${source}`,
      Target,
      ReadOnly,
      VolumeOptions: {
        NoCopy: false,
        Labels: plan.labels,
        DriverConfig: { Name: "local", Options: {} },
      },
    };
  });
}

async function awaitCondition(
  docker: Docker,
  container: string,
  name: string,
  condition: string,
  signal: AbortSignal,
): Promise<void> {
  if (condition === "service_started") return;
  for (;;) {
    const { State } = await docker.getContainer(container).inspect();
    if (condition === "service_completed_successfully" && State.Status === "exited") {
      if (State.ExitCode === 0) return;
      throw failed(name, `ended with exit code ${State.ExitCode}`);
    }
    if (condition === "service_healthy") {
      if (State.Health?.Status === "healthy") return;
      if (State.Health?.Status === "unhealthy")
        throw failed(name, `is not healthy: ${State.Health.Log?.at(-1)?.Output ?? ""}`);
      if (!State.Running) throw failed(name, `ended with exit code ${State.ExitCode}`);
    }
    if (signal.aborted) throw failed(name, "was not ready in time");
    await new Promise((resolve) => setTimeout(resolve, HEALTH_POLL_MS));
  }
}

function failed(name: string, how: string): TermRunError {
  return new TermRunError("infra", `the service ${name} ${how}`);
}

async function removeAll(
  docker: Docker,
  plan: ServicesPlan,
  containers: string[],
  network: string,
): Promise<void> {
  await Promise.all(
    containers.map((name) =>
      ignoreMissing(docker.getContainer(name).remove({ force: true, v: true })),
    ),
  );
  await ignoreMissing(docker.getNetwork(network).remove());
  await removeVolumes(docker, plan.sandbox);
}

/** The named volumes of a sandbox; those without a name go with their containers. */
export async function removeVolumes(docker: Docker, sandbox: string): Promise<void> {
  const { Volumes } = await docker.listVolumes({ filters: { name: [`${sandbox}-`] } as never });
  for (const { Name } of Volumes ?? []) await ignoreMissing(docker.getVolume(Name).remove());
}

async function ignoreMissing(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    const status = (error as { statusCode?: number }).statusCode;
    if (status !== 404 && status !== 409) throw error;
  }
}

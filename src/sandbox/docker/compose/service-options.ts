import type Docker from "dockerode";
import type { Gate } from "../egress/gate.js";
import type { ResourceLabels } from "../labels.js";
import type { Mount } from "./mount.js";
import type { Service } from "./service.js";

export interface ServicePlan {
  name: string;
  image: string;
  network: string;
  gate: Gate | null;
  resources: ResourceLabels;
}

/** The engine's options for creating a service's container. */
export function serviceOptions(
  service: Service,
  { name, image, network, gate, resources }: ServicePlan,
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
    Labels: resources.labels,
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
      ...(gate && service.networked ? gate.serviceOptions() : {}),
      Init: true,
      Mounts: mountsOf(service.mounts, resources),
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
  resources: Pick<ResourceLabels, "name" | "labels">,
): Docker.MountSettings[] {
  return mounts.map((mount): Docker.MountSettings => {
    if (mount.kind === "tmpfs") return { Type: "tmpfs", Target: mount.target, Source: "" };
    const { source, target: Target, readOnly: ReadOnly } = mount;
    if (mount.kind === "bind") return { Type: "bind", Source: source, Target, ReadOnly };
    return {
      Type: "volume",
      Source: source === "" ? "" : `${resources.name}-${source}`,
      Target,
      ReadOnly,
      VolumeOptions: {
        NoCopy: false,
        Labels: resources.labels,
        DriverConfig: { Name: "local", Options: {} },
      },
    };
  });
}

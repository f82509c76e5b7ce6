import type Docker from "dockerode";
import type { Service } from "../../../task/index.js";
import type { Gate } from "../egress/gate.js";
import type { ResourceLabels } from "../labels.js";
import type { Privileges } from "../privileges.js";
import { hostOptions } from "./host-options.js";
import { type Placement, placementOptions } from "./networks.js";

export interface ServicePlan {
  name: string;
  image: string;
  placement: Placement;
  privileges: Privileges;
  gate: Gate | null;
  resources: ResourceLabels;
  containerOf: (service: string) => string;
}

/** What a service has so that names lead to the gate, unless its own file says otherwise. */
function withGate({ extraHosts }: Service, gate: Gate): Docker.HostConfig {
  const { ExtraHosts = [], ...options } = gate.serviceOptions();
  return { ...options, ExtraHosts: [...ExtraHosts, ...extraHosts] };
}

/** The engine's options for creating a service's container. */
export function serviceOptions(
  service: Service,
  { name, image, placement, gate, privileges, resources, containerOf }: ServicePlan,
): Docker.ContainerCreateOptions {
  const { healthcheck, limits, restart } = service;
  const network = placementOptions(placement);
  const pids = limits.pids !== null && limits.pids > 0 ? limits.pids : privileges.pidsLimit;
  return {
    name,
    Image: image,
    ...(service.command ? { Cmd: service.command } : {}),
    ...(service.entrypoint ? { Entrypoint: service.entrypoint } : {}),
    ...(service.workdir ? { WorkingDir: service.workdir } : {}),
    ...(service.user ? { User: service.user } : {}),
    ...(service.hostname ? { Hostname: service.hostname } : {}),
    ...(service.domainname ? { Domainname: service.domainname } : {}),
    ...(service.stopSignal ? { StopSignal: service.stopSignal } : {}),
    Tty: service.tty,
    OpenStdin: service.stdinOpen,
    Env: environmentList(service.environment),
    Labels: resources.labels,
    ...(healthcheck
      ? {
          Healthcheck: {
            Test: healthcheck.test,
            Interval: healthcheck.intervalNs,
            Timeout: healthcheck.timeoutNs,
            StartPeriod: healthcheck.startPeriodNs,
            StartInterval: healthcheck.startIntervalNs,
            Retries: healthcheck.retries,
          },
        }
      : {}),
    HostConfig: {
      ...hostOptions(service, resources, containerOf),
      NetworkMode: network.mode,
      ...network.dns,
      ...(gate?.admits(placement) ? withGate(service, gate) : {}),
      Init: service.init,
      CapDrop: [...privileges.dropped, ...service.capDrop],
      SecurityOpt: [...privileges.securityOptions, ...service.securityOptions],
      PidsLimit: pids,
      ...(restart
        ? { RestartPolicy: { Name: restart.name, MaximumRetryCount: restart.retries } }
        : {}),
      ...(limits.cpus ? { NanoCpus: limits.cpus * 1e9 } : {}),
      ...(limits.memoryBytes ? { Memory: limits.memoryBytes } : {}),
    },
    ...network.config,
  };
}

/** A name alone takes the image's variable away. */
export function environmentList(environment: Record<string, string | null>): string[] {
  return Object.entries(environment).map(([name, value]) =>
    value === null ? name : `${name}=${value}`,
  );
}

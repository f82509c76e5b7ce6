import type Docker from "dockerode";
import type { Mount, Service } from "../../../task/index.js";
import type { ResourceLabels } from "../labels.js";

type Labels = Pick<ResourceLabels, "name" | "labels">;

/** What a compose file says of the sandbox and of the services beside it in the same way. */
export function hostOptions(
  service: Service,
  resources: Labels,
  containerOf: (service: string) => string,
): Docker.HostConfig {
  const { dns, limits } = service;
  const mounts = service.mounts.flatMap((mount) => mountOf(mount, resources));
  const binds = service.mounts.flatMap(bindOf);
  const temporary = service.mounts.flatMap((mount): [string, string][] =>
    mount.kind === "tmpfs" ? [[mount.target, mount.options]] : [],
  );
  const given: Docker.HostConfig = {
    CapAdd: service.capAdd,
    GroupAdd: service.groups,
    ExtraHosts: service.extraHosts,
    Dns: dns.servers,
    DnsSearch: dns.search,
    DnsOptions: dns.options,
    Sysctls: service.sysctls,
    Ulimits: service.ulimits.map(({ name, soft, hard }) => ({
      Name: name,
      Soft: soft,
      Hard: hard,
    })),
    Mounts: mounts,
    Binds: binds,
    Tmpfs: Object.fromEntries(temporary),
    VolumesFrom: service.volumesFrom.map((entry) => {
      const [name = "", ...mode] = entry.split(":");
      return [containerOf(name), ...mode].join(":");
    }),
    ReadonlyRootfs: service.readOnly,
    ...defined("PidMode", shared(service.pid, containerOf)),
    ...defined("IpcMode", shared(service.ipc, containerOf)),
    ...defined("CpuShares", limits.cpuShares),
    ...defined("CpuQuota", limits.cpuQuota),
    ...defined("CpuPeriod", limits.cpuPeriod),
    ...defined("CpusetCpus", limits.cpuset),
    ...defined("MemorySwap", limits.swapBytes),
    ...defined("MemorySwappiness", limits.swappiness),
    ...defined("MemoryReservation", limits.reservedBytes),
    ...defined("ShmSize", limits.shmBytes),
    ...defined("OomScoreAdj", limits.oomScore),
  };
  return given;
}

function defined<K extends keyof Docker.HostConfig>(
  key: K,
  value: Docker.HostConfig[K] | null,
): Docker.HostConfig {
  return value === null ? {} : { [key]: value };
}

/** `service:NAME` is the engine's `container:…`. */
function shared(namespace: string | null, containerOf: (service: string) => string): string | null {
  const [, service] = /^service:(.+)$/.exec(namespace ?? "") ?? [];
  return service === undefined ? namespace : `container:${containerOf(service)}`;
}

/** Named volumes belong to the trial: two trials never share one. */
function mountOf(mount: Mount, resources: Labels): Docker.MountSettings[] {
  if (mount.kind === "tmpfs" || isShortBind(mount)) return [];
  const { source, target: Target, readOnly: ReadOnly } = mount;
  if (mount.kind === "bind") return [{ Type: "bind", Source: source, Target, ReadOnly }];
  const options = {
    NoCopy: !mount.copy,
    Labels: resources.labels,
    DriverConfig: { Name: "local", Options: {} },
    ...(mount.subpath === null ? {} : { Subpath: mount.subpath }),
  };
  const Source = source === "" ? "" : `${resources.name}-${source}`;
  return [{ Type: "volume", Source, Target, ReadOnly, VolumeOptions: options }];
}

/** Only so does the engine create a folder of the host that is missing, as Compose has it. */
function bindOf(mount: Mount): string[] {
  if (mount.kind !== "bind" || !isShortBind(mount)) return [];
  return [`${mount.source}:${mount.target}${mount.readOnly ? ":ro" : ""}`];
}

function isShortBind(mount: Mount): boolean {
  return mount.kind === "bind" && mount.create && !mount.source.includes(":");
}

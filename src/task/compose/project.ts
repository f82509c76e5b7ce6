/** What a compose file says, once it is read: paths are absolute, defaults and forms are resolved. */
export interface ComposeProject {
  /** The service that is the sandbox; null when the file only adds others. */
  main: Service | null;
  /** The others that are started, by name. */
  others: Service[];
  networks: NetworkDefinition[];
  /** Volume names, by the key that services refer to them by. */
  volumes: Record<string, string>;
  /** What can't be honoured: place, field, reason. */
  refused: string[];
}

export interface Service {
  name: string;
  image: string | null;
  build: Build | null;
  command: string[] | null;
  entrypoint: string[] | null;
  /** null takes the image's variable away. */
  environment: Record<string, string | null>;
  workdir: string | null;
  user: string | null;
  groups: string[];
  hostname: string | null;
  domainname: string | null;
  stopSignal: string | null;
  tty: boolean;
  stdinOpen: boolean;
  init: boolean;
  readOnly: boolean;
  network: ServiceNetwork;
  links: { service: string; alias: string }[];
  extraHosts: string[];
  dns: { servers: string[]; search: string[]; options: string[] };
  dependsOn: Dependency[];
  /** null: the image's own. */
  healthcheck: ServiceHealth | null;
  mounts: Mount[];
  /** Copied in before it starts. */
  files: ContainerFile[];
  /** Services whose volumes it has as well, with their mode. */
  volumesFrom: string[];
  capAdd: string[];
  capDrop: string[];
  securityOptions: string[];
  limits: Limits;
  sysctls: Record<string, string>;
  ulimits: { name: string; soft: number; hard: number }[];
  restart: { name: string; retries: number } | null;
  /** Namespaces: the engine's word, or `service:NAME`; null is a private one. */
  pid: string | null;
  ipc: string | null;
}

export interface Build {
  contextDir: string;
  dockerfile: string;
  args: Record<string, string>;
  target: string | null;
  /** The network of its `RUN` lines; null: the engine's default. */
  network: string | null;
  extraHosts: string[];
}

export type ServiceNetwork =
  | { mode: "networks"; list: Attachment[] }
  | { mode: "none" }
  | { mode: "bridge" }
  | { mode: "service"; service: string };

/** A service's place on a network, the one with the default route first. */
export interface Attachment {
  network: string;
  aliases: string[];
  ipv4: string | null;
  ipv6: string | null;
  mac: string | null;
}

export interface NetworkDefinition {
  key: string;
  internal: boolean;
  ipv6: boolean;
  subnets: { Subnet?: string; IPRange?: string; Gateway?: string }[];
}

export type Condition = "service_started" | "service_healthy" | "service_completed_successfully";

export interface Dependency {
  name: string;
  condition: Condition;
  required: boolean;
}

export interface ServiceHealth {
  test: string[];
  /** 0 is the engine's default. */
  intervalNs: number;
  timeoutNs: number;
  startPeriodNs: number;
  startIntervalNs: number;
  retries: number;
}

export type Mount =
  | { kind: "bind"; source: string; target: string; readOnly: boolean; create: boolean }
  | {
      kind: "volume";
      /** Empty: one of its own, without a name. */
      source: string;
      target: string;
      readOnly: boolean;
      copy: boolean;
      subpath: string | null;
    }
  | { kind: "tmpfs"; target: string; options: string };

export interface ContainerFile {
  path: string;
  content: string;
  mode: number;
  uid: number;
  gid: number;
}

/** null: no limit of its own. */
export interface Limits {
  cpus: number | null;
  cpuShares: number | null;
  cpuQuota: number | null;
  cpuPeriod: number | null;
  cpuset: string | null;
  memoryBytes: number | null;
  swapBytes: number | null;
  swappiness: number | null;
  reservedBytes: number | null;
  shmBytes: number | null;
  pids: number | null;
  oomScore: number | null;
}

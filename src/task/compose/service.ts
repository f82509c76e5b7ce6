import type { Fields } from "../fields.js";
import { readBuild } from "./build.js";
import { readDependencies } from "./dependencies.js";
import { readEnvironment } from "./environment.js";
import { readFiles } from "./files.js";
import { readHealthcheck } from "./healthcheck.js";
import { readLimits, readRestart, readUlimits } from "./limits.js";
import { readMounts } from "./mounts.js";
import { readLinks, readNetwork } from "./network.js";
import type { Service } from "./project.js";
import type { Scope } from "./scope.js";
import { readNamespace, readSecurityOptions } from "./security.js";
import { refuseFields } from "./support.js";
import { flag, hosts, mapping, strings, text, words } from "./values.js";

export interface ReadService {
  service: Service;
  profiles: string[];
  /** It is to have no container at all. */
  stopped: boolean;
  /** What it says and can't be honoured. */
  refused: string[];
}

export function readService(
  name: string,
  fields: Fields,
  given: Omit<Scope, "refused">,
): ReadService {
  const refused: string[] = [];
  const scope = { ...given, refused };
  refuseFields(fields, refused);
  const secrets = readFiles(fields, "secrets", scope);
  const configs = readFiles(fields, "configs", scope);
  const service: Service = {
    name,
    image: text(fields, "image"),
    build: readBuild(fields, scope),
    command: words(fields, "command"),
    entrypoint: words(fields, "entrypoint"),
    environment: readEnvironment(fields, scope),
    workdir: text(fields, "working_dir"),
    user: text(fields, "user"),
    groups: strings(fields, "group_add"),
    hostname: text(fields, "hostname"),
    domainname: text(fields, "domainname"),
    stopSignal: text(fields, "stop_signal"),
    tty: flag(fields, "tty"),
    stdinOpen: flag(fields, "stdin_open"),
    init: flag(fields, "init"),
    readOnly: flag(fields, "read_only"),
    network: readNetwork(name, fields, scope),
    links: readLinks(fields),
    extraHosts: hosts(fields, "extra_hosts"),
    dns: {
      servers: strings(fields, "dns"),
      search: strings(fields, "dns_search"),
      options: strings(fields, "dns_opt"),
    },
    dependsOn: readDependencies(fields),
    healthcheck: readHealthcheck(fields),
    mounts: [...readMounts(fields, scope), ...secrets.mounts, ...configs.mounts],
    files: [...secrets.files, ...configs.files],
    volumesFrom: readVolumesFrom(fields, scope),
    capAdd: strings(fields, "cap_add"),
    capDrop: strings(fields, "cap_drop"),
    securityOptions: readSecurityOptions(fields, scope),
    limits: readLimits(fields, scope),
    sysctls: mapping(fields, "sysctls"),
    ulimits: readUlimits(fields),
    restart: readRestart(fields),
    pid: readNamespace(fields, "pid", scope),
    ipc: readNamespace(fields, "ipc", scope),
  };
  const stopped = text(fields, "scale") === "0" || text(fields.table("deploy"), "replicas") === "0";
  const profiles = strings(fields, "profiles");
  return { service, profiles, stopped, refused: [...refused, ...fields.unknown()] };
}

function readVolumesFrom(fields: Fields, { refused }: Scope): string[] {
  return strings(fields, "volumes_from").filter((entry) => {
    const isOutside = entry.startsWith("container:");
    if (isOutside)
      refused.push(fields.warning("volumes_from", `"${entry}" isn't part of the trial`));
    return !isOutside;
  });
}

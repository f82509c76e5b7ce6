import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, join } from "node:path";

/** Their data, where sandboxes can be read and changed, and their sockets outside of /run. */
const SYSTEM = ["containerd", "docker", "containers", "incus", "lxd", "kubelet", "rancher"];
const OWN = [
  ".colima",
  ".docker",
  ".kube",
  ".lima",
  ".local/share/containers",
  ".local/share/docker",
  ".rd",
];
const LXD = "/var/snap/lxd/common/lxd";
const ENGINE_SOCKET = /(docker|containerd|podman|buildkit|crio|incus|lxd|libvirt)/i;
const UNIX = /^unix:\/\//;

/** Where container engines and clusters can be reached on this machine, or looked into. */
export function listEngines(env: NodeJS.ProcessEnv): string[] {
  const { DOCKER_HOST = "", DOCKER_CONFIG, KUBECONFIG = "" } = env;
  const home = env.HOME || homedir();
  return [
    ...SYSTEM.map((name) => join("/var/lib", name)),
    LXD,
    ...OWN.map((name) => join(home, name)),
    ...(UNIX.test(DOCKER_HOST) ? [DOCKER_HOST.replace(UNIX, "")] : []),
    ...(DOCKER_CONFIG ? [DOCKER_CONFIG] : []),
    ...KUBECONFIG.split(":").filter((path) => path !== ""),
    ...findSockets(),
  ];
}

/** Those that listen now, wherever they are. */
function findSockets(): string[] {
  let table = "";
  try {
    table = readFileSync("/proc/net/unix", "utf8");
  } catch {
    return [];
  }
  const paths = table.split("\n").map((line) => line.slice(line.indexOf(" /") + 1));
  return [...new Set(paths)].filter(
    (path) => path.startsWith("/") && ENGINE_SOCKET.test(basename(path)),
  );
}

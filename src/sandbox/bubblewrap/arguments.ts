import { existsSync } from "node:fs";
import { join } from "node:path";
import { FILTERED } from "./launch.js";
import { procArguments } from "./proc.js";

/**
 * The host's programs and libraries, read-only. Where they are links into /usr they become mounts
 * here: a link in the writable root could be replaced by the agent.
 */
const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
/** Of /etc only what programs need to start; the rest may hold the host's secrets. */
const SYSTEM_ETC = ["/etc/alternatives", "/etc/ssl/certs", "/etc/ld.so.cache", "/etc/localtime"];
/** A folder of the root that every process has as its /dev/shm. */
export const SHARED_MEMORY = "dev/shm";

/** Where term-run's own program is: mounted anew for each process, out of the agent's reach. */
export const INIT = "/dev/.term-run-init";

export const SANDBOX_ENV = {
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  HOME: "/root",
  USER: "root",
  LANG: "C.UTF-8",
  TERM: "dumb",
};

/** What makes a process see the sandbox whose root is a host folder. */
export interface View {
  root: string;
  /** The host's path of term-run's own program. */
  init: string;
  cwd: string;
  env: Record<string, string>;
}

/** Namespaces of its own, for the process that the others join, or for one alone. */
export function ownNamespaces({ dieWithParent }: { dieWithParent: boolean }): string[] {
  return [
    ...["--unshare-user", "--uid", "0", "--gid", "0"],
    ...["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"],
    ...["--hostname", "term-run"],
    ...(dieWithParent ? ["--die-with-parent"] : []),
  ];
}

/** The files, the devices, the system calls and the environment. */
export function viewArguments({ root, init, cwd, env }: View): string[] {
  const args = ["--cap-drop", "ALL", ...FILTERED, "--bind", root, "/"];
  for (const path of [...SYSTEM, ...SYSTEM_ETC])
    if (existsSync(path)) args.push("--ro-bind", path, path);
  args.push("--ro-bind", "/dev/null", "/etc/ld.so.preload");
  args.push("--proc", "/proc", ...procArguments(), "--dev", "/dev");
  args.push("--ro-bind", init, INIT);
  args.push("--bind", join(root, SHARED_MEMORY), "/dev/shm");
  args.push("--chdir", cwd, "--clearenv");
  for (const [name, value] of Object.entries(env)) args.push("--setenv", name, value);
  return args;
}

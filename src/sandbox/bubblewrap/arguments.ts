import { existsSync } from "node:fs";

/**
 * The host's programs and libraries, read-only. Where they are links into /usr they become mounts
 * here: a link in the writable root could be replaced by the agent.
 */
const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
/** Of /etc only what programs need to start; the rest may hold the host's secrets. */
const SYSTEM_ETC = ["/etc/alternatives", "/etc/ssl/certs", "/etc/ld.so.cache", "/etc/localtime"];

export const SANDBOX_ENV = {
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  HOME: "/root",
  USER: "root",
  LANG: "C.UTF-8",
  TERM: "dumb",
};

/** The bwrap command line for one process in the sandbox whose root is a host folder. */
export function bwrapArguments(options: {
  root: string;
  cwd: string;
  env: Record<string, string>;
  dieWithParent: boolean;
  newSession: boolean;
}): string[] {
  const args = [
    ...["--unshare-user", "--uid", "0", "--gid", "0"],
    ...["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"],
    ...["--hostname", "term-run"],
    ...(options.dieWithParent ? ["--die-with-parent"] : []),
    ...(options.newSession ? ["--new-session"] : []),
    ...["--bind", options.root, "/"],
  ];
  for (const path of [...SYSTEM, ...SYSTEM_ETC])
    if (existsSync(path)) args.push("--ro-bind", path, path);
  args.push("--ro-bind", "/dev/null", "/etc/ld.so.preload");
  args.push("--proc", "/proc", "--dev", "/dev", "--chdir", options.cwd, "--clearenv");
  for (const [name, value] of Object.entries(options.env)) args.push("--setenv", name, value);
  return args;
}

import { homedir, tmpdir } from "node:os";
import { basename, dirname, join, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { listEngines } from "./engines.js";
import { isFolder, isWithin, realPaths } from "./hidden.js";
import { add, enclosing, type Sights } from "./view.js";

/** What is started on a leash. */
export interface LeashedProgram {
  command: string;
  args: readonly string[];
  cwd: string;
  env: Record<string, string>;
}

/** Sockets of what runs outside and would start programs there: system and session buses, engines, … */
const RUN = ["/run", "/var/run"];
/** Of these folders, what has programs, or settings of the network. */
const SHOWN_IN_RUN = [
  "/run/booted-system",
  "/run/current-system",
  "/run/nscd",
  "/run/nvidia-persistenced",
  "/run/opengl-driver",
  "/run/resolvconf",
  "/run/systemd/resolve",
  "/etc/resolv.conf",
  "/etc/hosts",
  "/etc/localtime",
];
/** What root could change to have something run outside: programs of the system, services, cron. */
const FIXED = ["/boot", "/etc", "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/var/spool"];
/** As packages of languages are installed by root. */
const SHOWN_IN_FIXED = ["/usr/local", "/usr/src"];

/** How a program on a leash sees the host. */
export function sightsFor(
  program: LeashedProgram,
  { bwrap, hidden }: { bwrap: string; hidden: readonly string[] },
): Sights {
  const sights: Sights = new Map();
  const every = (paths: readonly string[]) => [...new Set(paths.flatMap(realPaths))];
  const temps = every(["/tmp", "/var/tmp", ...ownTempFolder(program)]);
  const runs = every(RUN);
  for (const path of temps) add(sights, path, { kind: "private", mode: "1777" });
  for (const path of runs) add(sights, path, { kind: "private", mode: "0755" });
  for (const path of every([process.env.XDG_RUNTIME_DIR ?? ""]))
    add(sights, path, { kind: "private", mode: "0700" });
  for (const path of every(SHOWN_IN_RUN))
    if (runs.some((run) => isWithin(path, run))) add(sights, path, { kind: "shown" });
  for (const path of every([...FIXED, ...ownPrograms(bwrap)])) add(sights, path, { kind: "fixed" });
  for (const path of every(SHOWN_IN_FIXED)) add(sights, path, { kind: "shown" });
  for (const path of every([...hidden, ...listEngines(process.env)]))
    add(sights, path, { kind: "hidden" });
  for (const path of ownFolders(program, temps, sights)) add(sights, path, { kind: "shown" });
  return sights;
}

/** TMPDIR, unless it has the program's own files as well. */
function ownTempFolder({ cwd }: LeashedProgram): string[] {
  const own = [...realPaths(homedir()), ...realPaths(cwd)];
  return realPaths(tmpdir()).filter((dir) => !own.some((path) => isWithin(path, dir)));
}

/** What this process is made of and starts; the agent may be in the same place. */
function ownPrograms(bwrap: string): string[] {
  const code = fileURLToPath(new URL("..", import.meta.url));
  const root = dirname(code.endsWith(sep) ? code.slice(0, -1) : code);
  const outer = root.lastIndexOf(`${sep}node_modules${sep}`);
  const modules = outer === -1 ? join(root, "node_modules") : root.slice(0, outer + 13);
  return [process.execPath, bwrap, code, modules, join(root, "package.json")];
}

/**
 * The program's own files, where they are in folders that it wouldn't see otherwise: what its command
 * line names; and in temp folders also where it is started and what its variables name.
 */
function ownFolders(program: LeashedProgram, temps: string[], sights: Sights): string[] {
  const { command, args, cwd, env } = program;
  const words = [command, ...args].flatMap((word) => [word, ...word.split(/[\s"';=]+/)]);
  const named = words.filter((word) => word.includes("/")).map((word) => resolve(cwd, word));
  const variables = Object.values(env).flatMap((value) => value.split(":"));
  // What a variable names needn't exist yet, as a file to be written, or a pattern of names.
  const paths = variables.filter((path) => path.startsWith("/"));
  const tempOf = (path: string) => temps.findLast((temp) => path !== temp && isWithin(path, temp));
  return [
    ...named.flatMap(withLink).map((path) => folderOf(path, sights, tempOf(path))),
    ...realPaths(cwd).filter((path) => !isInHidden(path, sights)),
    ...paths
      .flatMap((path) => [path, ...realPaths(path)])
      .flatMap((path) => {
        const temp = tempOf(path);
        if (!temp || sights.has(path) || isInHidden(path, sights)) return [];
        return realPaths(topmost(path, temp)).filter(isFolder);
      }),
  ].filter((path) => needsShowing(path, sights));
}

/** A program may be a link, as in a virtual environment: then both its places matter. */
function withLink(path: string): string[] {
  const found = realPaths(path);
  if (found.length === 0) return [];
  const places = realPaths(dirname(path)).map((dir) => join(dir, basename(path)));
  return [...new Set([...found, ...places])];
}

/** The folder that a program is in; only the program where that folder isn't to be seen. */
function folderOf(path: string, sights: Sights, temp: string | undefined): string {
  if (temp && !isInHidden(path, sights)) return topmost(path, temp);
  const dir = isFolder(path) ? path : dirname(path);
  return sights.has(dir) ? path : dir;
}

/** A virtual environment or a toolchain is more than the folder of its programs. */
function topmost(path: string, temp: string): string {
  return join(temp, path.slice(temp.length + 1).split(sep)[0] as string);
}

function isInHidden(path: string, sights: Sights): boolean {
  return sights.get(path)?.kind === "hidden" || enclosing(path, sights)?.kind === "hidden";
}

function needsShowing(path: string, sights: Sights): boolean {
  const outer = enclosing(path, sights)?.kind;
  return (outer === "hidden" || outer === "private") && !sights.has(path);
}

import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A mounted tree of cgroups. */
export interface Hierarchy {
  version: 1 | 2;
  /** Of version 1; in version 2 the folders say. */
  controllers: string[];
  /** Where it is mounted. */
  top: string;
  /** The folder of the caller's own cgroup. */
  own: string;
}

/** The kernel's files about this process. */
interface Sources {
  mounts: string;
  cgroups: string;
}

/** The hierarchies in which this process's cgroup can be seen. */
export function readHierarchies(sources: Sources = readSources()): Hierarchy[] {
  const paths = sources.cgroups
    .trim()
    .split("\n")
    .map((line) => /^\d+:([^:]*):(.*)$/.exec(line))
    .flatMap((match) => (match ? [{ names: match[1] as string, path: match[2] as string }] : []));
  return sources.mounts
    .trim()
    .split("\n")
    .flatMap((line) => {
      const mount = readMount(line);
      if (!mount) return [];
      const { version, options, root, top } = mount;
      const isIts = (names: string) =>
        version === 2
          ? names === ""
          : names !== "" && names.split(",").every((name) => options.includes(name));
      const found = paths.find(({ names }) => isIts(names));
      const below = found ? pathBelow(root, found.path) : null;
      if (!found || below === null) return [];
      return [{ version, controllers: found.names.split(","), top, own: join(top, below) }];
    });
}

function readSources(): Sources {
  try {
    return {
      mounts: readFileSync("/proc/self/mountinfo", "utf8"),
      cgroups: readFileSync("/proc/self/cgroup", "utf8"),
    };
  } catch {
    return { mounts: "", cgroups: "" };
  }
}

function readMount(line: string) {
  const [before = "", after = ""] = line.split(" - ");
  const [, , , root = "/", top = ""] = before.split(" ");
  const [type, , options = ""] = after.split(" ");
  if (type !== "cgroup" && type !== "cgroup2") return null;
  const version: 1 | 2 = type === "cgroup" ? 1 : 2;
  return { version, options: options.split(","), root: unquote(root), top: unquote(top) };
}

/** Of a path in a hierarchy, what is below the folder that is mounted. */
function pathBelow(root: string, path: string): string | null {
  if (path.includes("/..")) return null;
  if (root === "/") return path;
  return path === root || path.startsWith(`${root}/`) ? path.slice(root.length) : null;
}

/** Blanks and the like are octal in mountinfo. */
function unquote(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 8)));
}

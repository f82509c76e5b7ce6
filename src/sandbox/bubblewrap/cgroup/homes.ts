import { randomBytes } from "node:crypto";
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { type Hierarchy, readHierarchies } from "./hierarchies.js";

/** What can be limited. */
export type Controller = "memory" | "pids" | "cpu";

/** The folder that sandboxes' cgroups are made in, for a controller. */
interface Home {
  parent: string;
  version: 1 | 2;
}

export type Homes = Partial<Record<Controller, Home>>;

const CONTROLLERS: readonly Controller[] = ["memory", "pids", "cpu"];
/** The file of a cgroup that sets the limit. */
const LIMITS: Record<1 | 2, Record<Controller, string>> = {
  1: { memory: "memory.limit_in_bytes", pids: "pids.max", cpu: "cpu.cfs_quota_us" },
  2: { memory: "memory.max", pids: "pids.max", cpu: "cpu.max" },
};

/** Where cgroups can be made here; a controller that can't be had is missing. */
export function findHomes(hierarchies: Hierarchy[] = readHierarchies()): Homes {
  const homes: Homes = {};
  for (const { version, controllers, own } of hierarchies.filter(({ version }) => version === 1))
    for (const controller of CONTROLLERS)
      if (controllers.includes(controller) && canLimit(own, version, [controller]))
        homes[controller] = { parent: own, version };
  const unified = hierarchies.find(({ version }) => version === 2);
  const missing = CONTROLLERS.filter((controller) => !homes[controller]);
  if (unified)
    for (const [controller, home] of findUnified(unified, missing)) homes[controller] = home;
  return homes;
}

export function missingControllers(homes: Homes): Controller[] {
  return CONTROLLERS.filter((controller) => !homes[controller]);
}

/**
 * In version 2, a cgroup with processes, such as the caller's, can't have limited ones below it. The
 * nearest one above that may be written to can.
 */
function findUnified({ own, top }: Hierarchy, wanted: Controller[]): [Controller, Home][] {
  for (let parent = own; ; parent = dirname(parent)) {
    const possible = wanted.filter((controller) => enable(parent, controller));
    if (possible.length > 0 && canLimit(parent, 2, possible))
      return possible.map((controller) => [controller, { parent, version: 2 }]);
    if (parent === top || parent === dirname(parent)) return [];
  }
}

/** Lets cgroups below this one be limited. */
function enable(parent: string, controller: Controller): boolean {
  const file = join(parent, "cgroup.subtree_control");
  try {
    // Who moves a process needs to be allowed to, where its old and its new cgroup meet.
    accessSync(join(parent, "cgroup.procs"), constants.W_OK);
    if (readFileSync(file, "utf8").trim().split(" ").includes(controller)) return true;
    writeFileSync(file, `+${controller}`);
    return true;
  } catch {
    return false;
  }
}

/** Tries it: what the files' modes say isn't all that counts. */
function canLimit(parent: string, version: 1 | 2, controllers: Controller[]): boolean {
  const dir = join(parent, `term-run-probe-${randomBytes(6).toString("hex")}`);
  try {
    mkdirSync(dir);
  } catch {
    return false;
  }
  try {
    const hasFiles = controllers.every((name) => existsSync(join(dir, LIMITS[version][name])));
    // With cpuset in the same hierarchy, a new cgroup has no processors.
    return hasFiles && !(version === 1 && existsSync(join(dir, "cpuset.cpus")));
  } finally {
    rmdirSync(dir);
  }
}

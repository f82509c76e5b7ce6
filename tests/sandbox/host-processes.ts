import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** What the host knows of processes, from outside of any sandbox. */

function allProcesses(): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

export function processesIn(cgroup: string): number[] {
  const file = join(cgroup, "cgroup.procs");
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8").split("\n").filter(Boolean).map(Number);
}

/** The namespace of processes that one is in; null if it is gone. */
export function namespaceOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return null;
  }
}

export function inNamespace(namespace: string): number[] {
  return allProcesses().filter((pid) => namespaceOf(pid) === namespace);
}

/** The number that a process has in its own namespace. */
export function innerPid(pid: number): number | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/^NSpid:.*\t(\d+)$/m.exec(status)?.[1]);
  } catch {
    return null;
  }
}

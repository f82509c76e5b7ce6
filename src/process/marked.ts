import { readdir, readFile } from "node:fs/promises";

/** The variable that every process started for an agent or a local sandbox inherits. */
export const MARKER_VARIABLE = "TERM_RUN_OWNER";

const ROUNDS = 20;

/**
 * Kills every process that carries a marker in its environment, wherever it hid: own session,
 * own group, parent gone. Only Linux shows environments; elsewhere process groups must do.
 */
export async function killMarked(marker: string): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const found = await findMarked(marker);
    if (found.length === 0) return;
    for (const pid of found) killQuietly(pid, "SIGKILL");
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The processes that carry a marker. */
export async function findMarked(marker: string): Promise<number[]> {
  const entries = await readdir("/proc").catch(() => []);
  const wanted = `${MARKER_VARIABLE}=${marker}`;
  const found: number[] = [];
  for (const entry of entries) {
    if (!/^\d+$/.test(entry) || Number(entry) === process.pid) continue;
    // A zombie's environment reads as empty.
    const environ = await readFile(`/proc/${entry}/environ`, "utf8").catch(() => "");
    if (environ.split("\0").includes(wanted)) found.push(Number(entry));
  }
  return found;
}

/** Everything below a process, as the parents say. Empty where there is no /proc. */
export async function findDescendants(root: number): Promise<number[]> {
  const children = new Map<number, number[]>();
  for (const entry of await readdir("/proc").catch(() => [])) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = await readFile(`/proc/${entry}/stat`, "utf8").catch(() => "");
    const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(entry)]);
  }
  const found: number[] = [];
  for (let next = children.get(root) ?? []; next.length > 0; ) {
    found.push(...next);
    next = next.flatMap((pid) => children.get(pid) ?? []);
  }
  return found;
}

/** A negative pid means its process group. */
export function killQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone already.
  }
}

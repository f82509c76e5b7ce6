import { setImmediate } from "node:timers/promises";
import { listPids, listStats, readEnvironment } from "./proc.js";

/** The variable that every process started for an agent or a local sandbox inherits. */
export const MARKER_VARIABLE = "TERM_RUN_OWNER";

const ROUNDS = 20;

/**
 * Kills every process that carries a marker in its environment, wherever it hides: in its own
 * session or group, or without its parent. Only Linux shows environments; elsewhere only process
 * groups are killed.
 */
export async function killMarked(marker: string): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const found = await findMarked(marker);
    if (found.length === 0) return;
    for (const pid of found) killQuietly(pid, "SIGKILL");
    await setImmediate();
  }
}

/** The processes that carry a marker. */
export async function findMarked(marker: string): Promise<number[]> {
  const wanted = `${MARKER_VARIABLE}=${marker}`;
  const found: number[] = [];
  for (const pid of await listPids())
    if (pid !== process.pid && (await readEnvironment(pid)).includes(wanted)) found.push(pid);
  return found;
}

/** Everything below a process, by the parents' ids. */
export async function findDescendants(root: number): Promise<number[]> {
  const children = new Map<number, number[]>();
  for (const { pid, parent } of await listStats())
    children.set(parent, [...(children.get(parent) ?? []), pid]);
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
    // It has ended already.
  }
}

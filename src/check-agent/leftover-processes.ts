import { setTimeout as pause } from "node:timers/promises";
import { findMarked, readCommandLine } from "../process/index.js";

/** A process that is about to exit gets this long to do it. */
const GRACE_MS = 2_000;
const POLL_MS = 50;

/**
 * Command lines of the processes that outlive their agent: those that carry its marker, and those
 * that were below it before it ended. null where this can't be seen.
 */
export async function findLeftoverProcesses(
  marker: string,
  below: number[],
): Promise<string[] | null> {
  if (process.platform !== "linux") return null;
  const deadline = performance.now() + GRACE_MS;
  for (;;) {
    const found = new Set([...(await findMarked(marker)), ...(await findRunning(below))]);
    if (found.size === 0) return [];
    if (performance.now() >= deadline) return Promise.all([...found].map(describeProcess));
    await pause(POLL_MS);
  }
}

/** The processes that are still running; a zombie's command line is empty. */
async function findRunning(pids: number[]): Promise<number[]> {
  const lines = await Promise.all(pids.map(readCommandLine));
  return pids.filter((_, at) => lines[at] !== "");
}

async function describeProcess(pid: number): Promise<string> {
  return (await readCommandLine(pid)) || `process ${pid}`;
}

import { readFile } from "node:fs/promises";
import { findMarked } from "../process/marked.js";

/** A process that is about to end gets this long to do it. */
const GRACE_MS = 2_000;
const POLL_MS = 50;

/**
 * Command lines of the processes that outlive their agent: those that carry its marker, and those
 * that were below it before it ended. null where nobody can look.
 */
export async function findLeft(marker: string, below: number[]): Promise<string[] | null> {
  if (process.platform !== "linux") return null;
  const deadline = performance.now() + GRACE_MS;
  for (;;) {
    const found = new Set([...(await findMarked(marker)), ...(await findRunning(below))]);
    if (found.size === 0) return [];
    if (performance.now() >= deadline) return Promise.all([...found].map(describeProcess));
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Those of the processes that are still there, and more than a zombie. */
export async function findRunning(pids: number[]): Promise<number[]> {
  const lines = await Promise.all(pids.map(readCommandLine));
  return pids.filter((_, at) => lines[at] !== "");
}

async function describeProcess(pid: number): Promise<string> {
  return (await readCommandLine(pid)) || `process ${pid}`;
}

async function readCommandLine(pid: number): Promise<string> {
  const line = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  return line.replaceAll("\0", " ").trim();
}

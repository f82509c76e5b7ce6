import { readFile } from "node:fs/promises";
import { findMarked } from "../process/marked.js";

/** A process that is about to end gets this long to do it. */
const GRACE_MS = 2_000;
const POLL_MS = 50;

/** Command lines of the processes that outlive their agent; null where nobody can look. */
export async function findLeft(marker: string): Promise<string[] | null> {
  if (process.platform !== "linux") return null;
  const deadline = performance.now() + GRACE_MS;
  for (;;) {
    const found = await findMarked(marker);
    if (found.length === 0) return [];
    if (performance.now() >= deadline) return Promise.all(found.map(describeProcess));
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function describeProcess(pid: number): Promise<string> {
  const line = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  return line.replaceAll("\0", " ").trim() || `process ${pid}`;
}

import { readFileSync } from "node:fs";
import { readdir, readFile, readlink } from "node:fs/promises";

/** What the kernel shows of processes; empty where there is no /proc, or no such process. */

export interface ProcessStat {
  pid: number;
  /** `Z` for a zombie. */
  state: string;
  parent: number;
  group: number;
  session: number;
}

export async function listPids(): Promise<number[]> {
  const entries = await readdir("/proc").catch(() => []);
  return entries.filter((entry) => /^\d+$/.test(entry)).map(Number);
}

async function readStat(pid: number): Promise<ProcessStat | null> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // The name before it may hold anything, parentheses too.
  const [state, parent, group, session] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (state === undefined || session === undefined) return null;
  return {
    pid,
    state,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
  };
}

/** When a process began, which tells it from a later one with its number; null: there is none. */
export function readStartTime(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [state, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return state === "X" ? null : (rest[18] ?? null);
  } catch {
    return null;
  }
}

export async function listStats(): Promise<ProcessStat[]> {
  const stats = await Promise.all((await listPids()).map(readStat));
  return stats.filter((stat) => stat !== null);
}

/** The processes that a process has started or adopted, the oldest first. */
export async function listChildren(pid: number): Promise<number[]> {
  const line = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => null);
  if (line !== null) return line.split(" ").filter(Boolean).map(Number);
  // Not every kernel has that file.
  const own = (await listStats()).filter(({ parent }) => parent === pid);
  return own.map((stat) => stat.pid);
}

/** Entries of `NAME=value`; a zombie's environment reads as empty. */
export async function readEnvironment(pid: number): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
  return text.split("\0");
}

export async function readCommandLine(pid: number): Promise<string> {
  const line = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  return line.replaceAll("\0", " ").trim();
}

/** The system call that each thread is in, with its arguments, by thread. */
export async function readSystemCalls(pid: number): Promise<Map<number, string[]>> {
  const calls = new Map<number, string[]>();
  for (const thread of await readdir(`/proc/${pid}/task`).catch(() => [])) {
    const text = await readFile(`/proc/${pid}/task/${thread}/syscall`, "utf8").catch(() => "");
    calls.set(Number(thread), text.trim().split(" "));
  }
  return calls;
}

/** What each file descriptor leads to, such as `socket:[123]`. */
export async function readDescriptors(pid: number): Promise<Map<number, string>> {
  const targets = new Map<number, string>();
  for (const fd of await readdir(`/proc/${pid}/fd`).catch(() => [])) {
    const target = await readlink(`/proc/${pid}/fd/${fd}`).catch(() => "");
    targets.set(Number(fd), target);
  }
  return targets;
}

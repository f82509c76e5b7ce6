import { readdir, readFile, readlink } from "node:fs/promises";

/** System call numbers on x86-64 and arm64. */
const READ = new Set(["0", "63"]);
/** wait4 and waitid. */
const WAIT = new Set(process.arch === "arm64" ? ["260", "95"] : ["61", "247"]);
const EPOLL = { x64: new Set(["232", "281"]), arm64: new Set(["22"]) };
const FOREVER = "0xffffffff";

/**
 * Does an agent wait for its next request, or does it think? Only Linux can tell. Someone in its
 * process group blocks in a read of stdin; or, for event loops, everyone sleeps without a timer
 * and without a connection that an answer could come from. When in doubt: it thinks.
 */
export async function isWaitingForInput(group: number): Promise<boolean> {
  const members = await findGroup(group);
  if (members.length === 0) return false;
  const states = await Promise.all(members.map(stateOf));
  return states.includes("reading") || states.every((state) => state === "asleep");
}

/**
 * Stricter: can nothing but a request bring an answer? No thread computes, no connection is open,
 * and every process waits for stdin, or for another process that does.
 */
export async function isWaitingOnlyForInput(group: number): Promise<boolean> {
  const states = await Promise.all((await findGroup(group)).map(mainStateOf));
  return states.includes("idle") && !states.includes("busy");
}

async function mainStateOf(pid: string): Promise<"idle" | "parent" | "busy"> {
  const calls = await readCalls(pid);
  const [number = "", fd] = calls.get(pid) ?? [];
  if ([...calls.values()].some(([call]) => call === "running")) return "busy";
  if (await hasConnection(pid)) return "busy";
  if (WAIT.has(number)) return "parent";
  const reading = READ.has(number) && fd === "0x0";
  return reading || isEndless(calls.get(pid) ?? []) ? "idle" : "busy";
}

async function findGroup(group: number): Promise<string[]> {
  const members: string[] = [];
  for (const pid of await readdir("/proc").catch(() => [])) {
    if (!/^\d+$/.test(pid)) continue;
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
    if (Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[2]) === group) members.push(pid);
  }
  return members;
}

async function stateOf(pid: string): Promise<"reading" | "asleep" | "busy"> {
  const calls = await readCalls(pid);
  for (const [number = "", fd] of calls.values())
    if (READ.has(number) && fd === "0x0") return "reading";
  return isEndless(calls.get(pid) ?? []) && !(await hasConnection(pid)) ? "asleep" : "busy";
}

/** The system call that each thread is in, with its arguments. */
async function readCalls(pid: string): Promise<Map<string, string[]>> {
  const calls = new Map<string, string[]>();
  for (const thread of await readdir(`/proc/${pid}/task`).catch(() => [])) {
    const text = await readFile(`/proc/${pid}/task/${thread}/syscall`, "utf8").catch(() => "");
    calls.set(thread, text.trim().split(" "));
  }
  return calls;
}

/** An event loop that sleeps without a timer. */
function isEndless(call: string[]): boolean {
  const epoll = process.arch === "arm64" ? EPOLL.arm64 : EPOLL.x64;
  return epoll.has(call[0] ?? "") && (call[4] ?? "").startsWith(FOREVER);
}

/** Sockets beyond stdin, stdout and stderr. */
async function hasConnection(pid: string): Promise<boolean> {
  for (const fd of await readdir(`/proc/${pid}/fd`).catch(() => [])) {
    if (Number(fd) <= 2) continue;
    const target = await readlink(`/proc/${pid}/fd/${fd}`).catch(() => "");
    if (target.startsWith("socket:")) return true;
  }
  return false;
}

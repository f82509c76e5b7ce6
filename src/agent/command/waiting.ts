import { listStats, readDescriptors, readSystemCalls } from "../../process/index.js";

/** System call numbers on x86-64 and arm64. */
const READ = new Set(["0", "63"]);
/** wait4 and waitid. */
const WAIT = new Set(process.arch === "arm64" ? ["260", "95"] : ["61", "247"]);
/** epoll_wait and epoll_pwait; epoll_pwait2 has no plain timeout. */
const EPOLL = new Set(process.arch === "arm64" ? ["22"] : ["232", "281"]);
const FOREVER = "0xffffffff";

/**
 * Is an agent waiting for its next request, or is it thinking? Only Linux shows this. It waits if a
 * process in its group blocks in a read of stdin; or, for event loops, if all of them sleep without a
 * timer and without a connection that an answer could come from. When in doubt, it is thinking.
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

/** Leaves out zombies, which do nothing any more. */
async function findGroup(group: number): Promise<number[]> {
  const members = (await listStats()).filter((stat) => stat.group === group && stat.state !== "Z");
  return members.map(({ pid }) => pid);
}

async function stateOf(pid: number): Promise<"reading" | "asleep" | "busy"> {
  const calls = await readSystemCalls(pid);
  if ([...calls.values()].some(readsStdin)) return "reading";
  return isEndless(calls.get(pid) ?? []) && !(await hasConnection(pid)) ? "asleep" : "busy";
}

async function mainStateOf(pid: number): Promise<"idle" | "parent" | "busy"> {
  const calls = await readSystemCalls(pid);
  const main = calls.get(pid) ?? [];
  if ([...calls.values()].some(([call]) => call === "running")) return "busy";
  if (await hasConnection(pid)) return "busy";
  if (WAIT.has(main[0] ?? "")) return "parent";
  return readsStdin(main) || isEndless(main) ? "idle" : "busy";
}

function readsStdin([call = "", fd]: string[]): boolean {
  return READ.has(call) && fd === "0x0";
}

/** An event loop that sleeps without a timer. */
function isEndless(call: string[]): boolean {
  return EPOLL.has(call[0] ?? "") && (call[4] ?? "").startsWith(FOREVER);
}

/** Sockets beyond stdin, stdout and stderr. */
async function hasConnection(pid: number): Promise<boolean> {
  const descriptors = await readDescriptors(pid);
  return [...descriptors].some(([fd, target]) => fd > 2 && target.startsWith("socket:"));
}

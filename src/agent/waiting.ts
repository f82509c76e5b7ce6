import { readdir, readFile, readlink } from "node:fs/promises";

/** System call numbers on x86-64 and arm64. */
const READ = new Set(["0", "63"]);
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

/** No connection either that an answer could come from: nothing but a request can wake it. */
export async function isWaitingOnlyForInput(group: number): Promise<boolean> {
  if (!(await isWaitingForInput(group))) return false;
  const connected = await Promise.all((await findGroup(group)).map(hasConnection));
  return !connected.includes(true);
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
  const call = (await readFile(`/proc/${pid}/syscall`, "utf8").catch(() => "")).split(" ");
  for (const thread of await readdir(`/proc/${pid}/task`).catch(() => [])) {
    const path = `/proc/${pid}/task/${thread}/syscall`;
    const [number = "", fd] = (await readFile(path, "utf8").catch(() => "")).split(" ");
    if (READ.has(number) && fd === "0x0") return "reading";
  }
  const epoll = process.arch === "arm64" ? EPOLL.arm64 : EPOLL.x64;
  const endless = epoll.has(call[0] ?? "") && (call[4] ?? "").startsWith(FOREVER);
  return endless && !(await hasConnection(pid)) ? "asleep" : "busy";
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

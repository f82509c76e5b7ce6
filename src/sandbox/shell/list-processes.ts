import type { RunningProcess } from "../../interfaces/index.js";

/** Linux counts start times in these for every program, whatever the kernel's own clock. */
const TICKS_PER_SEC = 100;
/** Before the stat line and the command line of each process; the lister's pid and the uptime come first. */
const SEPARATOR = "\u001e";

/** The drivers of a sandbox's shells, and when the first of them started. */
export interface KnownDrivers {
  sinceTicks: number;
  pids: ReadonlySet<number>;
}

interface Listed {
  pid: number;
  parent: number;
  startTicks: number;
  command: string;
}

/** Reads the list; what lists, and everything below it, is left out. */
export function readProcesses(output: string, drivers: KnownDrivers): RunningProcess[] {
  const [head = "", ...entries] = output.split(SEPARATOR);
  const [lister = 0, nowSec = 0] = head.split("\n").map(Number.parseFloat);
  const all = entries.map(readEntry).filter((entry) => entry !== null);
  const parents = new Map(all.map(({ pid, parent }) => [pid, parent]));
  const isListing = (pid: number | undefined): boolean =>
    pid !== undefined && (pid === lister || isListing(parents.get(pid)));
  return all
    .filter(({ pid }) => !isListing(pid))
    .map(({ pid, startTicks, command }) => ({
      pid,
      command,
      ageSec: Math.max(0, Math.round((nowSec - startTicks / TICKS_PER_SEC) * 100) / 100),
      isForeign: startTicks >= drivers.sinceTicks && !drivers.pids.has(pid),
    }));
}

/** null for a zombie, which does nothing any more. */
function readEntry(entry: string): Listed | null {
  const [stat = "", ...rest] = entry.split("\n");
  const nameEnd = stat.lastIndexOf(")");
  const fields = stat.slice(nameEnd + 2).split(" ");
  const [state, parent] = fields;
  if (state === undefined || state === "Z" || nameEnd === -1) return null;
  const words = rest.join("\n").replaceAll("\0", " ").trim();
  return {
    pid: Number.parseInt(stat, 10),
    parent: Number(parent),
    startTicks: Number(fields[19]),
    // A kernel's name stands for a process that has wiped its own command line.
    command: words === "" ? `[${stat.slice(stat.indexOf("(") + 1, nameEnd)}]` : words,
  };
}

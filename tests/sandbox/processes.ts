import { readdirSync, readFileSync } from "node:fs";

/** The processes of this machine, containers included, whose command line is this one. */
export function processesWith(command: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => commandOf(pid) === command)
    .map(Number);
}

function commandOf(pid: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").join(" ").trim();
  } catch {
    return null;
  }
}

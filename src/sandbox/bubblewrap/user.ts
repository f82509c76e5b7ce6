import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { isOpenToAll } from "../folder.js";

/** Above every id that distributions hand out. */
const FIRST = 0x40000000;
const LAST = 0x7ffffff0;
const NOBODY = 65534;

/**
 * Who a sandbox's root is on the host: a user that owns nothing else there. null: the caller, who
 * can't become anyone else, or whose scratch folder no one else could reach.
 */
export function pickHostUser(root: string): number | null {
  if (process.getuid?.() !== 0 || !isOpenToAll(dirname(root))) return null;
  const mapped = readFileSync("/proc/self/uid_map", "utf8").trim().split("\n").map(readRange);
  const has = (id: number) => mapped.some(([from, count]) => id >= from && id < from + count);
  if (has(FIRST) && has(LAST)) return randomInt(FIRST, LAST);
  return has(NOBODY) ? NOBODY : null;
}

function readRange(line: string): [number, number] {
  const [from = 0, , count = 0] = line.trim().split(/\s+/).map(Number);
  return [from, count];
}

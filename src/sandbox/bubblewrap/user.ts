import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";

/** Above every id that distributions hand out. */
const FIRST = 0x40000000;
const LAST = 0x7ffffff0;
const NOBODY = 65534;

/**
 * Who a sandbox's root is on the host: nobody else, so that what breaks out owns nothing there.
 * null: the caller, who can't become anyone else.
 */
export function pickHostUser(): number | null {
  if (process.getuid?.() !== 0) return null;
  const mapped = readFileSync("/proc/self/uid_map", "utf8").trim().split("\n").map(readRange);
  const has = (id: number) => mapped.some(([from, count]) => id >= from && id < from + count);
  if (has(FIRST) && has(LAST)) return randomInt(FIRST, LAST);
  return has(NOBODY) ? NOBODY : null;
}

function readRange(line: string): [number, number] {
  const [from = 0, , count = 0] = line.trim().split(/\s+/).map(Number);
  return [from, count];
}

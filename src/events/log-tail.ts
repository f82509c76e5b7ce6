import { closeSync, fstatSync, ftruncateSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";

const NEWLINE = 0x0a;
const FIRST_READ_BYTES = 64 * 1024;

/** The highest position in any log of a run's folder; 0 for a new one. */
export function findLastPosition(dir: string): number {
  const folders = readdirSync(join(dir, "trials"), { withFileTypes: true });
  const logs = folders.map(({ name }) => join(dir, "trials", name, "events.jsonl"));
  return [join(dir, "events.jsonl"), ...logs].reduce(
    (most, file) => Math.max(most, lastPositionIn(file)),
    0,
  );
}

/** Opens a log to append to it; a truncated last line is removed first. */
export function openForAppending(file: string): number {
  const fd = openSync(file, "a+");
  const { size } = fstatSync(fd);
  const tail = readTail(fd, size, (bytes) => bytes.includes(NEWLINE));
  const whole = size - tail.length + tail.lastIndexOf(NEWLINE) + 1;
  if (whole < size) ftruncateSync(fd, whole);
  return fd;
}

function lastPositionIn(file: string): number {
  let fd: number;
  try {
    fd = openSync(file, "r");
  } catch {
    return 0;
  }
  try {
    const { size } = fstatSync(fd);
    const tail = readTail(fd, size, (bytes) => positionsIn(bytes).length > 0);
    return Math.max(0, ...positionsIn(tail));
  } finally {
    closeSync(fd);
  }
}

// Of complete lines. A line break inside a string is escaped, so only the start of a line matches.
function positionsIn(bytes: Buffer): number[] {
  const text = bytes.toString("latin1");
  return [...text.matchAll(/(?<=^|\n)\{"position":(\d+),[^\n]*\n/g)].map(([, position]) =>
    Number(position),
  );
}

/** As much of the end of a file as is needed. */
function readTail(fd: number, size: number, isEnough: (bytes: Buffer) => boolean): Buffer {
  for (let length = FIRST_READ_BYTES; ; length *= 8) {
    const bytes = Buffer.alloc(Math.min(length, size));
    readSync(fd, bytes, 0, bytes.length, size - bytes.length);
    if (bytes.length === size || isEnough(bytes)) return bytes;
  }
}

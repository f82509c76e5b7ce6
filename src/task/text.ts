import { isUtf8 } from "node:buffer";
import { type Dirent, readdirSync, readFileSync, statSync } from "node:fs";
import { messageOf, TermRunError } from "../errors.js";

const NEWLINE = 10;
const RETURN = 13;
const BYTE_ORDER_MARK = "\uFEFF";

export function unreadable(message: string): TermRunError {
  return new TermRunError("task_unreadable", message);
}

/** The text of a file, which must be UTF-8; null when there is no such file. */
export function readTextIfExists(file: string): string | null {
  const content = readIfExists(file);
  if (content === null) return null;
  if (!isUtf8(content)) throw unreadable(`${file}:${findBadLine(content)}: not UTF-8 text`);
  const text = content.toString("utf8");
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

export function readText(file: string): string {
  const text = readTextIfExists(file);
  if (text === null) throw unreadable(`${file} is missing`);
  return text;
}

/** The names in a folder, none when there is no such folder. */
export function namesIn(dir: string): Set<string> {
  return new Set(entriesIn(dir).map((entry) => entry.name));
}

export function entriesIn(dir: string): Dirent[] {
  return tolerateMissing(dir, () => readdirSync(dir, { withFileTypes: true })) ?? [];
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Whether the first line ends with CR LF; false when there is no such file. */
export function hasWindowsLineEndings(file: string): boolean {
  const content = readIfExists(file);
  const end = content?.indexOf(NEWLINE) ?? -1;
  return end > 0 && content?.[end - 1] === RETURN;
}

function readIfExists(file: string): Buffer | null {
  return tolerateMissing(file, () => readFileSync(file));
}

function tolerateMissing<T>(path: string, read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw unreadable(`${path} can't be read: ${messageOf(error)}`);
  }
}

/** A line end is never part of a longer character, so lines can be looked at one by one. */
function findBadLine(content: Buffer): number {
  let line = 1;
  for (let start = 0; start < content.length; line++) {
    const end = content.indexOf(NEWLINE, start);
    const stop = end === -1 ? content.length : end;
    if (!isUtf8(content.subarray(start, stop))) break;
    start = stop + 1;
  }
  return line;
}

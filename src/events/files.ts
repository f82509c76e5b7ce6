import { closeSync, openSync, writeSync } from "node:fs";
import { open, readFile, rename } from "node:fs/promises";

/** Writes a whole file or nothing: a reader never sees half of it. */
async function writeAtomically(path: string, text: string): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  const file = await open(temporary, "w");
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
}

export function writeJson(path: string, value: unknown): Promise<void> {
  return writeAtomically(path, `${JSON.stringify(value, null, 2)}\n`);
}

/** null for a file that isn't there, is empty or was cut short. */
export async function readJson<T>(path: string): Promise<T | null> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as T;
  } catch {
    return null;
  }
}

/** A text that grows line by line. It is there for people: a full disk fails elsewhere. */
export function openLines(path: string): { add(line: string): void; close(): void } {
  const file = openSync(path, "a");
  return {
    add: (line) => {
      try {
        writeSync(file, `${line}\n`);
      } catch {
        // The log has the same text.
      }
    },
    close: () => closeSync(file),
  };
}

import { closeSync, openSync, writeSync } from "node:fs";
import { open, readFile, rename, rm } from "node:fs/promises";

/** Writes the whole file or nothing: a reader never sees a partial one. */
export async function writeJson(path: string, value: unknown): Promise<void> {
  const show = await stageJson(path, value);
  await show();
}

/** Writes everything beside the file, so that only a rename is left, which a full disk allows. */
export async function stageJson(path: string, value: unknown): Promise<() => Promise<void>> {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    const file = await open(temporary, "w");
    try {
      await file.writeFile(`${JSON.stringify(value, null, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
  return () => rename(temporary, path);
}

/** null for a file that is missing, empty or truncated. */
export async function readJson<T>(path: string): Promise<T | null> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as T;
  } catch {
    return null;
  }
}

/** A text file that is appended to line by line. It is only a convenience, so write errors are ignored. */
export function openLines(path: string): { add(line: string): void; close(): void } {
  const file = openSync(path, "a");
  return {
    add: (line) => {
      try {
        writeSync(file, `${line}\n`);
      } catch {
        // The event log has the same text, and reports a full disk.
      }
    },
    close: () => closeSync(file),
  };
}

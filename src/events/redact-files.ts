import { createReadStream, createWriteStream } from "node:fs";
import { readdir, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Redactor } from "./redact.js";

/** Redacts the names and contents of all files below a folder; they may be of any size. */
export async function redactFolder(dir: string, redactor: Redactor): Promise<void> {
  if (redactor.isIdle) return;
  const entries = await readdir(dir, { withFileTypes: true }).catch(() => []);
  for (const { name } of entries) {
    const path = join(dir, redactor.text(name));
    if (path !== join(dir, name)) await rename(join(dir, name), path);
  }
  for (const entry of entries) {
    const path = join(dir, redactor.text(entry.name));
    if (entry.isDirectory()) await redactFolder(path, redactor);
    else if (entry.isFile()) await redactFile(path, redactor);
  }
}

async function redactFile(file: string, redactor: Redactor): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  const { mode } = await stat(file);
  await pipeline(
    createReadStream(file),
    (chunks: AsyncIterable<Buffer>) => redactChunks(chunks, redactor),
    createWriteStream(temporary, { mode }),
  );
  await rename(temporary, file);
}

/** Redacts a stream of bytes. */
export async function* redactChunks(
  chunks: AsyncIterable<Buffer>,
  redactor: Redactor,
): AsyncGenerator<Buffer> {
  const redaction = redactor.openStream();
  for await (const chunk of chunks) yield* redaction.push(chunk);
  yield* redaction.end();
}

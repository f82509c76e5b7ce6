import { createReadStream, createWriteStream } from "node:fs";
import { readdir, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Redactor } from "./redact.js";

/** Redacts all files below a folder in place; they may be binary and of any size. */
export async function redactFolder(dir: string, redactor: Redactor): Promise<void> {
  if (redactor.isIdle) return;
  const entries = await readdir(dir, { withFileTypes: true, recursive: true }).catch(() => []);
  for (const entry of entries)
    if (entry.isFile()) await redactFile(join(entry.parentPath, entry.name), redactor);
}

async function redactFile(file: string, redactor: Redactor): Promise<void> {
  if (!(await holdsSecret(file, redactor))) return;
  const temporary = `${file}.${process.pid}.tmp`;
  const { mode } = await stat(file);
  const pieces = redactPieces(createReadStream(file, "latin1"), redactor);
  await pipeline(pieces, createWriteStream(temporary, { encoding: "latin1", mode }));
  await rename(temporary, file);
}

async function holdsSecret(file: string, redactor: Redactor): Promise<boolean> {
  for await (const { found } of cutPieces(createReadStream(file, "latin1"), redactor))
    if (found) return true;
  return false;
}

async function* redactPieces(
  chunks: AsyncIterable<string>,
  redactor: Redactor,
): AsyncGenerator<Buffer> {
  for await (const { text } of cutPieces(chunks, redactor))
    yield Buffer.from(redactor.bytes(text), "latin1");
}

/** Cuts a stream, one character for each byte, so that no secret is split between two pieces. */
async function* cutPieces(
  chunks: AsyncIterable<string>,
  redactor: Redactor,
): AsyncGenerator<{ text: string; found: boolean }> {
  let held = "";
  for await (const chunk of chunks) {
    const text = held + chunk;
    const hits = redactor.findBytes(text);
    let cut = Math.max(0, text.length - redactor.longest + 1);
    for (const { start, end } of hits) if (start < cut && end > cut) cut = end;
    yield { text: text.slice(0, cut), found: hits.length > 0 };
    held = text.slice(cut);
  }
  yield { text: held, found: redactor.findBytes(held).length > 0 };
}

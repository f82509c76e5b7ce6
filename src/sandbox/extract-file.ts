import { closeSync, createWriteStream, openSync, writeSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import type { extract } from "tar-stream";
import { type Redactor, redactChunks } from "../events/index.js";

/** A file or folder in a tar, with its content. */
export type Entry = ReturnType<typeof extract> extends AsyncIterable<infer Source> ? Source : never;

/** Up to this size a file is written at once, which is much faster for many of them. */
const SMALL_BYTES = 1024 * 1024;

/** Writes a file, which must not exist; returns the content of a small one, as it was. */
export async function writeEntry(
  entry: Entry,
  target: string,
  redactor: Redactor,
): Promise<Buffer | null> {
  if ((entry.header.size ?? 0) > SMALL_BYTES) {
    const chunks = redactChunks(entry as AsyncIterable<Buffer>, redactor);
    await pipeline(chunks, createWriteStream(target, { flags: "wx" }));
    return null;
  }
  const content = await readWhole(entry);
  const file = openSync(target, "wx");
  try {
    const bytes = redactor.bytes(content);
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
  } finally {
    closeSync(file);
  }
  return content;
}

/** A loop over the stream would cost more than writing the file. */
function readWhole(entry: Entry): Promise<Buffer> {
  if (entry.header.size === 0) return Promise.resolve(Buffer.alloc(0));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    entry.on("data", (chunk) => chunks.push(chunk as Buffer));
    entry.on("end", () =>
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)),
    );
    entry.on("error", reject);
    entry.on("close", () => reject(new Error("the file ended early")));
  });
}

/** Names that the agent chose and that this host can't have. */
const REFUSALS: Record<string, string> = {
  EEXIST: "another file has the same name",
  EISDIR: "a folder has the same name",
  ENOTDIR: "a file has the name of its folder",
  ENAMETOOLONG: "its name or path is too long",
  EINVAL: "its name can't be used on this machine",
  EILSEQ: "its name can't be used on this machine",
  ELOOP: "its name can't be used on this machine",
  ERR_INVALID_ARG_VALUE: "its name can't be used on this machine",
};

/** Why this file can't be kept, if only this file is concerned; else null. */
export function describeRefusal(error: unknown): string | null {
  return REFUSALS[(error as NodeJS.ErrnoException).code ?? ""] ?? null;
}

/** A disk that is full and the like: everything that a system call on a file of this host says. */
export function isHostFault(error: unknown): boolean {
  const { syscall = "" } = error as NodeJS.ErrnoException;
  return ["open", "write", "close", "mkdir", "stat"].includes(syscall);
}

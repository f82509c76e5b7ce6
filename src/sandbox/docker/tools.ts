import { readFile } from "node:fs/promises";
import { pack } from "tar-stream";
import { LOG_FOLDERS } from "../log-folders.js";

/** A tar of term-run's own program, for a path in a container. */
export async function packInit(file: string, path: string): Promise<NodeJS.ReadableStream> {
  const out = pack();
  out.entry({ name: path.slice(1), mode: 0o755, uid: 0, gid: 0 }, await readFile(file));
  out.finalize();
  return out as unknown as NodeJS.ReadableStream;
}

/** What a container has from the start: the program, and folders that everyone may write to. */
export async function packMachine(file: string, path: string): Promise<NodeJS.ReadableStream> {
  const out = pack();
  for (const name of LOG_FOLDERS)
    out.entry({ name, type: "directory", mode: 0o777, uid: 0, gid: 0 });
  out.entry({ name: path.slice(1), mode: 0o755, uid: 0, gid: 0 }, await readFile(file));
  out.finalize();
  return out as unknown as NodeJS.ReadableStream;
}

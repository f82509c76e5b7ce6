import { pack } from "tar-stream";
import type { ContainerFile } from "../../../task/index.js";

/** A tar of files for a container, to be unpacked at its root. */
export function packFiles(files: ContainerFile[]): NodeJS.ReadableStream {
  const out = pack();
  for (const { path, content, mode, uid, gid } of files)
    out.entry({ name: path.replace(/^\/+/, ""), mode, uid, gid }, content);
  out.finalize();
  return out as unknown as NodeJS.ReadableStream;
}

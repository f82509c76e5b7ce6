import { createReadStream } from "node:fs";
import { type BuildInput, type ContextEntry, entryOf, listContext } from "./context.js";
import type { GrpcHandler, Metadata } from "./grpc.js";
import { halvesOf, PACKET, type Packet, readPacket, type Stat, writePacket } from "./messages.js";

export const FILE_SYNC = "/moby.filesync.v1.FileSync/DiffCopy";
/** The name that the Dockerfile has for the engine. */
export const SENT_DOCKERFILE = "Dockerfile";

const IGNORE_FILE = ".dockerignore";
const CHUNK_BYTES = 32 * 1024;

/** Go's bits for what Unix has in others. */
const GO_KINDS = { folder: 2 ** 31, link: 2 ** 27, file: 0 };
const GO_BITS: [unix: number, go: number][] = [
  [0o4000, 2 ** 23],
  [0o2000, 2 ** 22],
  [0o1000, 2 ** 20],
];

/**
 * Answers the builder's calls for the Dockerfile and for the context: all names first, then the
 * contents of the files that it asks for.
 */
export function serveFiles(input: BuildInput): GrpcHandler {
  return async function* serve(messages, metadata) {
    const entries = await entriesFor(input, metadata);
    for (const entry of entries) yield writePacket({ type: PACKET.stat, stat: statOf(entry) });
    yield writePacket({ type: PACKET.stat });
    for await (const message of messages) {
      const packet = readPacket(message);
      if (packet.type === PACKET.request) yield* contentOf(entries, packet);
      if (packet.type === PACKET.error) throw new Error(Buffer.from(packet.data ?? []).toString());
      if (packet.type === PACKET.end) return yield writePacket({ type: PACKET.end });
    }
  };
}

async function entriesFor(input: BuildInput, metadata: Metadata): Promise<ContextEntry[]> {
  const asked = (name: string) => metadata.get(name) ?? [];
  if (asked("dir-name")[0] === "dockerfile")
    return [entryOf(SENT_DOCKERFILE, input.dockerfile, 0o644)];
  // What is ignored isn't sent in the first place, so that the builder needs no ignore file.
  const wanted = [...asked("followpaths"), ...asked("include-patterns")];
  if (wanted.length > 0 && wanted.every((path) => path === IGNORE_FILE)) return [];
  return listContext(input);
}

function statOf({ path, kind, mode, size, mtimeNs, linkname }: ContextEntry): Stat {
  const special = GO_BITS.reduce((sum, [unix, go]) => sum + (mode & unix ? go : 0), 0);
  const goMode = GO_KINDS[kind] + special + (mode & 0o777);
  return { path, mode: goMode, size, modTime: halvesOf(mtimeNs), linkname };
}

async function* contentOf(entries: ContextEntry[], { id = 0 }: Packet): AsyncGenerator<Uint8Array> {
  const source = entries[id]?.source;
  if (!source) throw new Error(`the builder asked for file ${id} of ${entries.length}`);
  const chunks =
    "text" in source
      ? [Buffer.from(source.text)].filter((chunk) => chunk.length > 0)
      : createReadStream(source.file, { highWaterMark: CHUNK_BYTES });
  for await (const data of chunks) yield writePacket({ type: PACKET.data, id, data });
  yield writePacket({ type: PACKET.data, id });
}

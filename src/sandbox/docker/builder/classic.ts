import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type Docker from "dockerode";
import { type Pack, pack } from "tar-stream";
import { type BuildInput, type ContextEntry, entryOf, listContext } from "./context.js";
import { pathInContext } from "./dockerfile-path.js";
import { buildOptions } from "./options.js";
import { type Following, followProgress } from "./progress.js";

const IGNORE_FILE = ".dockerignore";
/** The name of a Dockerfile from elsewhere. */
const SENT_DOCKERFILE = ".term-run.Dockerfile";

/** Builds with the engine's first builder, which engines without BuildKit have. */
export async function buildClassic(
  docker: Docker,
  image: string,
  input: BuildInput,
  { signal, note }: Following,
): Promise<void> {
  const dockerfile = pathInContext(input.build) ?? SENT_DOCKERFILE;
  const entries = await entriesOf(input, dockerfile);
  const context = packEntries(entries);
  const options = {
    ...(await buildOptions(docker, image, input.build)),
    dockerfile,
    abortSignal: signal,
  };
  const stream = await docker.buildImage(
    context as unknown as NodeJS.ReadableStream,
    options as Docker.ImageBuildOptions,
  );
  await followProgress(docker, stream as Readable, { signal, note });
}

/** This builder reads Dockerfile and ignore file from the context, and then takes them out itself. */
async function entriesOf(input: BuildInput, dockerfile: string): Promise<ContextEntry[]> {
  const { leavesOut, isSpecific } = input.ignore;
  const unless = (path: string) => path === IGNORE_FILE && !isSpecific;
  const ignore = { ...input.ignore, leavesOut: (path: string) => !unless(path) && leavesOut(path) };
  const entries = await listContext({ ...input, ignore });
  return [
    ...entries.filter(({ path }) => path !== dockerfile && !(path === IGNORE_FILE && isSpecific)),
    entryOf(dockerfile, input.dockerfile, 0o644),
  ];
}

function packEntries(entries: ContextEntry[]): Pack {
  const out = pack();
  addEntries(out, entries).then(
    () => out.finalize(),
    (error) => out.destroy(error),
  );
  return out;
}

async function addEntries(out: Pack, entries: ContextEntry[]): Promise<void> {
  for (const { path: name, kind, mode, size, mtimeNs, linkname, source } of entries) {
    const mtime = new Date(Number(mtimeNs / 1_000_000n));
    const header = { name, mode, mtime, uid: 0, gid: 0 };
    if (kind === "folder") out.entry({ ...header, type: "directory" });
    else if (kind === "link") out.entry({ ...header, type: "symlink", linkname });
    else if ("text" in source) out.entry(header, source.text);
    else await pipeline(createReadStream(source.file), out.entry({ ...header, size }));
  }
}

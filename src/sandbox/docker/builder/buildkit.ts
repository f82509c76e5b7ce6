import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type Docker from "dockerode";
import { messageOf } from "../../../errors.js";
import type { BuildInput } from "./context.js";
import { FILE_SYNC, SENT_DOCKERFILE, serveFiles } from "./file-sync.js";
import { buildOptions } from "./options.js";
import { type Following, followProgress } from "./progress.js";
import { NoSessionError, openSession } from "./session.js";

/** The engine has no BuildKit, or not for this build. */
export class NoBuildKitError extends Error {}

/** Builds with the engine's BuildKit, over its API, so that remote engines can do it too. */
export async function buildWithBuildKit(
  docker: Docker,
  image: string,
  input: BuildInput,
  { signal, note }: Following,
): Promise<void> {
  const session = await openSession(docker, {
    methods: { [FILE_SYNC]: serveFiles(input) },
    // The engine keeps what was sent under this name; other builds' files must not be mixed in.
    shared: createHash("sha256").update(`${image} ${input.build.contextDir}`).digest("hex"),
    signal,
  }).catch((error) => {
    throw error instanceof NoSessionError
      ? new NoBuildKitError("the engine has no BuildKit")
      : error;
  });
  try {
    const stream = await start(docker, image, input, session.id, signal);
    await followProgress(docker, stream, { signal, note });
  } finally {
    session.close();
  }
}

async function start(
  docker: Docker,
  image: string,
  input: BuildInput,
  session: string,
  signal: AbortSignal,
): Promise<Readable> {
  const options = {
    ...(await buildOptions(docker, image, input.build)),
    dockerfile: SENT_DOCKERFILE,
    remote: "client-session",
    session,
    // As a number: for the text, dockerode opens a session of its own.
    version: 2,
    abortSignal: signal,
  };
  try {
    const started = docker.buildImage(Readable.from([]), options as object);
    return (await started) as Readable;
  } catch (error) {
    const message = messageOf(error);
    throw /buildkit/i.test(message)
      ? new NoBuildKitError(`the engine says ${quoteOf(message)}`)
      : error;
  }
}

/** Without what the client's library puts before it. */
function quoteOf(message: string): string {
  return `"${message.replace(/^\(HTTP code \d+\) [^-]*- /, "").trim()}"`;
}

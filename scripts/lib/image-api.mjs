import { addAbortSignal } from "node:stream";
import split2 from "split2";

/**
 * @param {import("dockerode")} docker
 * @param {string} name
 */
export async function imageId(docker, name) {
  return (await inspectImage(docker, name))?.Id;
}

/**
 * @param {import("dockerode")} docker
 * @param {string} name
 */
export async function inspectImage(docker, name) {
  try {
    return await docker.getImage(name).inspect();
  } catch (error) {
    const { statusCode } = /** @type {{ statusCode?: number }} */ (error);
    if (statusCode === 404) return undefined;
    throw error;
  }
}

/**
 * Reads a pull, import or build to its end and returns what it printed. The engine answers 200
 * before it begins, so a failure is only known from within the stream.
 * @param {NodeJS.ReadableStream} stream
 * @param {AbortSignal} signal
 * @param {() => void} [onProgress]
 */
export async function readProgress(stream, signal, onProgress) {
  let log = "";
  const lines = stream.pipe(split2(JSON.parse));
  stream.once("error", (error) => lines.destroy(error));
  for await (const event of addAbortSignal(signal, lines)) {
    onProgress?.();
    log += event.stream ?? "";
    if (event.error) throw Object.assign(new Error(event.error), { log });
  }
  return log;
}

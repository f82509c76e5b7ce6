import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Docker from "dockerode";
import { baseImage, ensureBaseImage } from "./base-image.mjs";
import { SetupError } from "./errors.mjs";
import { imageId, inspectImage, readProgress } from "./image-api.mjs";
import { lastLines, timed } from "./log.mjs";

const imagesFolder = fileURLToPath(new URL("../../tests/images", import.meta.url));
const hashLabel = "term-run.test-image";
const buildTimeoutMs = 5 * 60_000;

/**
 * Puts what the tests need on the engine: the base image, and `term-run-test/<folder>` for each
 * folder in tests/images.
 * @param {{ signal: AbortSignal }} options
 */
export async function ensureImages(options) {
  const docker = new Docker();
  await ensureBaseImage(docker, options);
  const folders = await readdir(imagesFolder);
  await Promise.all(folders.map((folder) => ensureTestImage(docker, folder, options)));
}

/**
 * @param {Docker} docker
 * @param {string} folder
 * @param {{ signal: AbortSignal }} options
 */
async function ensureTestImage(docker, folder, { signal }) {
  const tag = `term-run-test/${folder}`;
  const context = join(imagesFolder, folder);
  const files = await readdir(context);
  const hash = await contentHash(docker, context, files);
  if ((await inspectImage(docker, tag))?.Config.Labels?.[hashLabel] === hash) return;

  await timed(`building ${tag}`, async () => {
    const abortSignal = AbortSignal.any([signal, AbortSignal.timeout(buildTimeoutMs)]);
    const options = { t: tag, labels: { [hashLabel]: hash }, forcerm: true, abortSignal };
    try {
      const stream = await docker.buildImage({ context, src: files }, options);
      await readProgress(stream, abortSignal);
    } catch (error) {
      signal.throwIfAborted();
      const { message, log } = /** @type {Error & { log?: string }} */ (error);
      throw new SetupError(`building ${tag} failed: ${message}\n${lastLines(log)}`);
    }
  });
}

/**
 * Changes with the folder's files and with the image that they build on.
 * @param {Docker} docker
 * @param {string} context
 * @param {string[]} files
 */
async function contentHash(docker, context, files) {
  const hash = createHash("sha256").update((await imageId(docker, baseImage)) ?? "");
  for (const file of files.toSorted()) {
    hash.update(`\0${file}\0`).update(await readFile(join(context, file)));
  }
  return hash.digest("hex");
}

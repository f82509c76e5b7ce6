import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { SetupError } from "./errors.mjs";
import { imageId, readProgress } from "./image-api.mjs";
import { ensurePrograms, isRoot, searchPath } from "./install.mjs";
import { lastLines, say, timed } from "./log.mjs";

/**
 * @typedef {import("dockerode")} Docker
 * @typedef {{ signal: AbortSignal }} Options
 */

const suite = "bookworm";
export const baseImage = `debian:${suite}-slim`;

const pullSilenceMs = 15_000;
const makeTimeoutMs = 10 * 60_000;

/**
 * Pulls the base image or, where no registry can be reached, makes it from Debian's packages.
 * @param {Docker} docker
 * @param {Options} options
 */
export async function ensureBaseImage(docker, options) {
  if (await imageId(docker, baseImage)) return;
  const problem = await pull(docker, options);
  if (!problem) return;
  say(`could not pull ${baseImage}: ${problem}`);
  if (!isRoot() || process.platform !== "linux") {
    throw new SetupError(`${baseImage} can't be pulled, and only root on Linux can make it`);
  }
  await ensurePrograms(["debootstrap"], options);
  await timed(`making ${baseImage} with debootstrap`, () => make(docker, options));
}

/**
 * Why the pull failed; undefined if it did not. It may take long, but not be silent for long.
 * @param {Docker} docker
 * @param {Options} options
 */
async function pull(docker, { signal }) {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), pullSilenceMs);
  try {
    say(`pulling ${baseImage}`);
    const abortSignal = AbortSignal.any([signal, silence.signal]);
    const stream = await docker.pull(baseImage, { abortSignal });
    await readProgress(stream, abortSignal, () => timer.refresh());
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    if (silence.signal.aborted) return "the registry does not answer";
    return error instanceof Error ? error.message.trim() : String(error);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * @param {Docker} docker
 * @param {Options} options
 */
async function make(docker, { signal }) {
  const folder = await mkdtemp("/var/tmp/term-run-base-");
  try {
    const root = join(folder, "root");
    await debootstrap(root, signal);
    await importFolder(docker, root, signal);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string} root
 * @param {AbortSignal} signal
 */
async function debootstrap(root, signal) {
  // In namespaces of its own: what it mounts and starts ends with it, so `root` can be removed.
  const namespaces = ["--mount", "--pid", "--fork", "--kill-child"];
  const command = ["debootstrap", "--variant=minbase", suite, root];
  const result = await execa("unshare", [...namespaces, ...command], {
    all: true,
    reject: false,
    stdin: "ignore",
    timeout: makeTimeoutMs,
    cancelSignal: signal,
    // unshare doesn't forward SIGTERM.
    killSignal: "SIGKILL",
    env: { PATH: searchPath },
  });
  signal.throwIfAborted();
  if (result.failed) throw new SetupError(`debootstrap failed:\n${lastLines(result.all)}`);
}

/**
 * @param {Docker} docker
 * @param {string} root
 * @param {AbortSignal} signal
 */
async function importFolder(docker, root, signal) {
  const leftOut = ["dev/*", "proc/*", "sys/*", "var/cache/apt/*", "var/lib/apt/lists/*"];
  const excludes = leftOut.map((pattern) => `--exclude=./${pattern}`);
  const tar = execa("tar", ["-C", root, "--numeric-owner", ...excludes, "-c", "."], {
    buffer: { stdout: false },
    encoding: "buffer",
    reject: false,
    cancelSignal: signal,
  });
  const [repo, tag] = baseImage.split(":");
  const options = { repo, tag, changes: 'CMD ["bash"]', abortSignal: signal };
  const stream = await docker.importImage(tar.stdout, options);
  await readProgress(stream, signal);
  const { failed, shortMessage } = await tar;
  if (failed) throw new SetupError(`could not pack the base image: ${shortMessage}`);
}

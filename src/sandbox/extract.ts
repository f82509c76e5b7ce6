import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { extract } from "tar-stream";
import { messageOf } from "../errors.js";
import { Redactor } from "../events/index.js";
import type { Download, DownloadOptions } from "../interfaces/index.js";
import { DEFAULT_DOWNLOAD_LIMITS } from "./download-limits.js";
import { Admission } from "./extract-admission.js";
import { describeRefusal, type Entry, isHostFault, writeEntry } from "./extract-file.js";

/** Of what is left out, so many are named. */
const MAX_NAMED = 20;
/** Whoever sends nothing for so long is stuck. */
const SILENCE_MS = 120_000;

/**
 * Writes the regular files and folders of a tar that came out of a sandbox. Its content is the
 * agent's: links and devices are left out, no name can lead outside the folder, and what exceeds a
 * limit or can't be written is left out as well. The tar holds one thing, a file or a folder: with
 * `as` it gets that name, without it a folder's contents land in `dir` itself. Throws only if the
 * host fails.
 */
export async function extractInto(
  tar: Readable,
  dir: string,
  options: DownloadOptions = {},
): Promise<Download> {
  const extraction = new Extraction(dir, options);
  const stopWatching = endSilence(tar);
  const reader = extract();
  const read = pipeline(tar, reader);
  // The loop sees the same error.
  read.catch(() => {});
  try {
    for await (const entry of reader) {
      const goesOn = await extraction.add(entry);
      if (!goesOn) return extraction.result;
      entry.resume();
    }
    await read;
  } catch (error) {
    if (isHostFault(error)) throw error;
    extraction.result.problem = messageOf(error);
  } finally {
    stopWatching();
    tar.destroy();
  }
  return extraction.result;
}

export function emptyDownload(): Download {
  return { leftOut: [], leftOutCount: 0, contents: new Map(), problem: null };
}

class Extraction {
  readonly result = emptyDownload();
  readonly #dir: string;
  readonly #options: DownloadOptions;
  readonly #redactor: Redactor;
  readonly #admission: Admission;
  readonly #folders = new Set<string>();

  constructor(dir: string, options: DownloadOptions) {
    this.#dir = dir;
    this.#options = options;
    this.#redactor = options.redactor ?? new Redactor();
    const { limits = DEFAULT_DOWNLOAD_LIMITS, exclude = [] } = options;
    this.#admission = new Admission(limits, dir, exclude);
  }

  /** Whether to go on. */
  async add(entry: Entry): Promise<boolean> {
    const { name, type, size = 0 } = entry.header;
    const [top = "", ...below] = name
      .split("/")
      .filter((part: string) => part !== "" && part !== ".");
    const isFile = type === "file";
    if (top === "" || (!isFile && type !== "directory") || below.includes("..") || top === "..")
      return true;
    const path = below.join("/");
    const { verdict, reason } = this.#admission.check(below, isFile ? size : 0);
    if (reason !== null) this.#leaveOut(path || top, reason);
    if (verdict !== "keep") return verdict !== "stop";
    try {
      await this.#write(entry, path, isFile);
    } catch (error) {
      const refusal = describeRefusal(error);
      if (refusal === null) throw error;
      this.#leaveOut(path || top, refusal);
    }
    return true;
  }

  async #write(entry: Entry, path: string, isFile: boolean): Promise<void> {
    const { as, peek = [] } = this.#options;
    const below = this.#redactor.text(path).split("/").filter(Boolean);
    const target = join(this.#dir, ...(as === undefined ? [] : [as]), ...below);
    if (!isFile) return this.#makeFolder(target);
    // A file that was expected to be a folder has no name here.
    if (target === this.#dir) return;
    this.#makeFolder(join(target, ".."));
    const content = await writeEntry(entry, target, this.#redactor);
    if (content && peek.includes(path)) this.result.contents.set(path, content);
  }

  #makeFolder(path: string): void {
    if (this.#folders.has(path)) return;
    mkdirSync(path, { recursive: true });
    this.#folders.add(path);
  }

  #leaveOut(path: string, reason: string): void {
    this.result.leftOutCount += 1;
    if (this.result.leftOut.length === MAX_NAMED) return;
    this.result.leftOut.push({ path: this.#redactor.text(path), reason });
  }
}

/** Ends a stream that nothing comes from any more. */
function endSilence(stream: Readable): () => void {
  const end = () => stream.destroy(new Error(`nothing came for ${SILENCE_MS / 1000} s`));
  const timer = setTimeout(end, SILENCE_MS);
  stream.on("data", () => timer.refresh());
  return () => clearTimeout(timer);
}

import { join } from "node:path";
import picomatch from "picomatch";
import type { DownloadLimits } from "../interfaces/index.js";

/** What Linux allows for a path, less some room. */
const MAX_PATH_BYTES = 4_000;
/** So many times the limit on bytes is read and thrown away, to get at what comes after it. */
const SKIPPED_SHARE = 2;

export interface Decision {
  /** `skip` leaves out this entry, `stop` all that come after it too. */
  verdict: "keep" | "skip" | "stop";
  /** null if that needn't be reported. */
  reason: string | null;
}

const KEEP: Decision = { verdict: "keep", reason: null };

/** Decides what of a download is kept, in the order in which it comes. */
export class Admission {
  readonly #limits: DownloadLimits;
  readonly #dir: string;
  readonly #isExcluded: (path: string) => boolean;
  #entries = 0;
  #bytes = 0;
  #skippedBytes = 0;

  constructor(limits: DownloadLimits, dir: string, exclude: string[]) {
    this.#limits = limits;
    this.#dir = dir;
    this.#isExcluded = picomatch(exclude, { dot: true, basename: true });
  }

  /** The names that lead to an entry, and the size of its content. */
  check(path: readonly string[], size: number): Decision {
    const { entries, bytes, fileBytes } = this.#limits;
    if (this.#matchesExclude(path)) return { verdict: "skip", reason: null };
    if (this.#entries >= entries)
      return { verdict: "stop", reason: `there are more than ${entries} files and folders` };
    this.#entries += 1;
    const reason =
      this.#checkNames(path) ??
      (size > fileBytes ? `it is larger than ${inWords(fileBytes)}` : null) ??
      (this.#bytes + size > bytes ? `all files together exceed ${inWords(bytes)}` : null);
    if (reason === null) {
      this.#bytes += size;
      return KEEP;
    }
    this.#skippedBytes += size;
    if (this.#skippedBytes <= SKIPPED_SHARE * bytes) return { verdict: "skip", reason };
    return { verdict: "stop", reason: `${reason}; what comes after it was not read` };
  }

  #matchesExclude(path: readonly string[]): boolean {
    return path.some((_, at) => this.#isExcluded(path.slice(0, at + 1).join("/")));
  }

  #checkNames(path: readonly string[]): string | null {
    const { depth, nameBytes } = this.#limits;
    if (path.length - 1 > depth) return `it is more than ${depth} folders deep`;
    if (path.some((name) => Buffer.byteLength(name) > nameBytes))
      return `its name is longer than ${nameBytes} bytes`;
    if (path.some((name) => name.includes("\0"))) return "its name contains a NUL";
    return Buffer.byteLength(join(this.#dir, ...path)) > MAX_PATH_BYTES
      ? `its path is longer than ${MAX_PATH_BYTES} bytes`
      : null;
  }
}

const UNITS = ["bytes", "KiB", "MiB", "GiB", "TiB"];

function inWords(bytes: number): string {
  let value = bytes;
  let unit = 0;
  for (; value >= 1024 && value % 1024 === 0 && unit < UNITS.length - 1; unit++) value /= 1024;
  return `${value} ${UNITS[unit]}`;
}

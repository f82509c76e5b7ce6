import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { TermRunError } from "../../errors.js";
import { isOpenToAll } from "../folder.js";
import { findInit } from "../native/init.js";
import { seccompFilter } from "./seccomp/filter.js";

/** Files of the host that a sandbox's processes are started with, out of their reach. */
export interface Tools {
  /** term-run's own program, where the sandbox's user can get at it. */
  init: string;
  filter: string;
}

export function toolsIn(dir: string): Tools {
  const installed = findInit();
  // root's own folder is closed to the sandbox's user, and term-run may be installed there.
  const init = isOpenToAll(dirname(installed)) ? installed : join(dir, "init");
  return { init, filter: join(dir, "seccomp") };
}

export async function makeTools(dir: string, { init, filter }: Tools): Promise<void> {
  await mkdir(dir, { mode: 0o755 });
  await writeFile(filter, filterForThisMachine(), { mode: 0o644 });
  if (init === findInit()) return;
  // With the mode of the one that is copied.
  await copyFile(findInit(), init);
}

let known: Buffer | null = null;

function filterForThisMachine(): Buffer {
  const { arch } = process;
  if (arch !== "x64" && arch !== "arm64")
    throw new TermRunError("infra", `sandboxes on ${arch} processors are not supported`);
  known ??= seccompFilter(arch);
  return known;
}

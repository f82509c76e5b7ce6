import { statSync } from "node:fs";
import { mkdtemp, realpath, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { execa } from "execa";
import { messageOf, TermRunError } from "../errors.js";
import type { Watchdog } from "../process/index.js";
import { findInit, initCommands } from "./native/init.js";

/** A full disk's worth of files takes minutes. */
const REMOVE_DEADLINE_MS = 600_000;

/** A scratch folder that is removed even if this process is killed. */
export async function makeScratchFolder(kind: string, watchdog: Watchdog): Promise<string> {
  const dir = await mkdtemp(join(pickParent(), `term-run-${kind}-`));
  watchdog.watchFolder(dir);
  return dir;
}

/**
 * Removes a folder with whatever an agent left there. Node's own `rm` gives up on closed folders, on
 * names that aren't UTF-8 and on paths that are too long.
 */
export async function removeScratchFolder(dir: string): Promise<void> {
  try {
    // A link above it must be neither followed nor replaced.
    const path = await realpath(dir);
    const [init = "", ...args] = initCommands.fresh(findInit(), [{ path, mode: 0o700 }]);
    await execa(init, args, { stdin: "ignore", timeout: REMOVE_DEADLINE_MS });
    await rmdir(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw new TermRunError("infra", `${dir} can't be removed: ${messageOf(error)}`, {
      hint: `Remove it yourself: rm -rf ${dir}`,
      cause: error,
    });
  }
}

/** Whether users other than its owner can reach what is in a folder. */
export function isOpenToAll(dir: string): boolean {
  const path = resolve(dir);
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  return (mode & 0o001) !== 0 && (path === "/" || isOpenToAll(dirname(path)));
}

/** Root's sandboxes belong to other users, who may not be able to reach root's own temp folder. */
function pickParent(): string {
  if (process.getuid?.() !== 0) return tmpdir();
  return [tmpdir(), "/tmp", "/var/tmp"].find(isOpenToAll) ?? tmpdir();
}

import { statSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { removeTree, type Watchdog } from "../process/index.js";

/** A scratch folder that is removed even if this process is killed. */
export async function makeScratchFolder(kind: string, watchdog: Watchdog): Promise<string> {
  const dir = await mkdtemp(join(pickParent(), `term-run-${kind}-`));
  watchdog.watchFolder(dir);
  return dir;
}

export async function removeScratchFolder(dir: string): Promise<void> {
  await removeTree(dir);
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

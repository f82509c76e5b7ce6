import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Watchdog } from "../process/index.js";

/** A scratch folder that is removed even if this process is killed. */
export async function makeScratchFolder(kind: string, watchdog: Watchdog): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), `term-run-${kind}-`));
  watchdog.watchFolder(dir);
  return dir;
}

export async function removeScratchFolder(dir: string): Promise<void> {
  await rm(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

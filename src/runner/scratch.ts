import { Watchdog } from "../process/index.js";
import { makeScratchFolder, removeScratchFolder } from "../sandbox/index.js";

/** Runs `work` with a temporary folder, which is removed afterwards, even after a SIGKILL. */
export async function withScratchFolder<T>(
  kind: string,
  work: (dir: string) => Promise<T>,
): Promise<T> {
  const watchdog = new Watchdog();
  try {
    const dir = await makeScratchFolder(kind, watchdog);
    try {
      return await work(dir);
    } finally {
      await removeScratchFolder(dir);
    }
  } finally {
    watchdog.dismiss();
  }
}

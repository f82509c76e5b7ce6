import { type Leash, type LeashedProgram, startLeashed } from "../../leash/index.js";
import { killMarked, type Watchdog } from "../../process/index.js";
import type { LaunchedAgent } from "./launched.js";

/** Starts an agent in namespaces of its own. */
export function launchLeashed(
  program: LeashedProgram,
  marker: string,
  { leash, watchdog }: { leash: Leash; watchdog: Watchdog },
): LaunchedAgent {
  const process = startLeashed(leash, program);
  const { stdin, stdout, stderr, outer, exit } = process;
  if (outer !== null) watchdog.watchTree(outer);
  // With the first process the kernel ends all others, whatever became of bubblewrap's own.
  const watched = process.started.then((started) => {
    if (started) watchdog.watchTree(started.first);
    return started;
  });
  return {
    ...{ stdin, stdout, stderr, exit, marker },
    started: watched.then((started) => started?.pid ?? null),
    listOthers: () => process.listOthers(),
    end: async () => {
      await process.end();
      await killMarked(marker);
      const started = await watched;
      watchdog.releaseMarked(marker);
      if (outer !== null) watchdog.releaseTree(outer);
      if (started) watchdog.releaseTree(started.first);
    },
  };
}

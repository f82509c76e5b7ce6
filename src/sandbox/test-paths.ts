import { readFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../errors.js";
import type { Task } from "../interfaces/index.js";

/** A path that tasks use, as it is written in a shell script. */
const TASK_PATH = /(^|[\s"'=<>(])\/(logs|tests|app)\b/m;

/**
 * Why the tests would miss the files of a sandbox whose root isn't its own. A test that writes its
 * reward to the wrong path would give a wrong score.
 */
export function findPathProblem(task: Task, kind: string): string | null {
  const tasks = task.parts?.list.map((part) => part.task) ?? [task];
  for (const { verifier, dir } of tasks) {
    try {
      if (TASK_PATH.test(readScript(verifier, dir)))
        return `its tests name /logs, /tests or /app, which are elsewhere in a ${kind} sandbox (below $TERM_RUN_ROOT)`;
    } catch (error) {
      return `its test script ${verifier.script} can't be read (${messageOf(error)})`;
    }
  }
  return null;
}

/** The script as it will be in /tests: later folders go over earlier ones. */
function readScript({ tests, script }: Task["verifier"], dir: string): string {
  let failure: unknown = null;
  for (const part of tests.length > 0 ? tests.toReversed() : [{ dir, only: null }]) {
    if (part.only && !part.only.includes(script.split("/")[0] as string)) continue;
    try {
      return readFileSync(join(part.dir, script), "utf8");
    } catch (error) {
      failure ??= error;
    }
  }
  throw failure ?? new Error("it is in no folder of tests");
}

import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { checkTasks } from "../../src/check-task/check.js";
import type { CheckReport, Point, PointId, TaskReport } from "../../src/check-task/types.js";
import type { Limits } from "../../src/interfaces/index.js";
import { DEFAULT_IMAGE, openProvider } from "../../src/sandbox/kinds.js";
import { findTasks } from "../../src/task/find.js";

/** By their paths; null for a missing one. */
export type Files = Record<string, string | null>;

const LIMITS: Limits = {
  maxSteps: 20,
  maxInvalid: 1,
  maxIdle: 3,
  stepTimeoutSec: 60,
  commandTimeoutSec: 60,
  timeoutMultiplier: 1,
  outputLimitBytes: 100 * 1024,
};

/** A task with nothing wrong. */
export const SOUND: Files = {
  "task.toml": "[verifier]\nreward = 'exit-code'\n[environment]\nallow_internet = false\n",
  "instruction.md": "Write 42 to answer.txt.\n",
  "tests/test.sh": "#!/bin/sh\ngrep -qx 42 answer.txt\n",
  "solution/solve.sh": "#!/bin/sh\necho 42 >answer.txt\n",
};

/** Writes task folders, each with its changes to the sound one, and returns the folder of them all. */
export function writeTasks(tasks: Record<string, Files>): string {
  const root = mkdtempSync(join(tmpdir(), "check-task-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, changes] of Object.entries(tasks))
    for (const [file, content] of Object.entries({ ...SOUND, ...changes })) {
      if (content === null) continue;
      const path = join(root, name, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
      if (content.startsWith("#!")) chmodSync(path, 0o755);
    }
  return root;
}

export interface Proof {
  report: CheckReport;
  task(name: string): TaskReport;
  point(task: string, id: PointId): Point;
}

/** Checks them in a real sandbox. */
export async function checkFiles(
  sandbox: "docker" | "bubblewrap",
  tasks: Record<string, Files>,
): Promise<Proof> {
  const { provider } = await openProvider(sandbox, { defaultImage: DEFAULT_IMAGE });
  const out = mkdtempSync(join(tmpdir(), "check-task-out-"));
  onTestFinished(() => rmSync(out, { recursive: true, force: true }));
  const report = await checkTasks({
    ...(await findTasks([writeTasks(tasks)], { skipUnreadable: true })),
    provider,
    out,
    version: "test",
    concurrency: 2,
    limits: LIMITS,
    onProgress: () => {},
    signal: new AbortController().signal,
  });
  const task = (name: string) => {
    const found = report.tasks.find((one) => one.task === name);
    if (!found) throw new Error(`there is no report on ${name}`);
    return found;
  };
  const point = (name: string, id: PointId) => {
    const found = task(name).points.find((one) => one.id === id);
    if (!found) throw new Error(`there is no point ${id}`);
    return found;
  };
  return { report, task, point };
}

/** The points of a task that didn't pass, by status. */
export function problemsOf({ points }: TaskReport): Partial<Record<PointId, string>> {
  const wrong = points.filter(({ status }) => status !== "passed" && status !== "not_run");
  return Object.fromEntries(wrong.map(({ id, status }) => [id, status]));
}

import { TermRunError } from "../errors.js";
import { readRun, type StoredRun } from "../events/index.js";
import type { Task } from "../interfaces/index.js";
import { describeJudgement } from "../report/index.js";
import { judgeAgainstBaseline, listDigests } from "../score/index.js";

const DEFAULT_ALPHA = 0.05;

export interface BaselineFlags {
  baseline?: string[];
  alpha?: number;
  maxDrop?: number;
}

/** The runs to compare with; checked before anything is run. */
export async function readBaselines(
  flags: BaselineFlags,
  tasks: readonly Task[],
): Promise<StoredRun[]> {
  const dirs = flags.baseline ?? [];
  if (dirs.length === 0 && (flags.alpha !== undefined || flags.maxDrop !== undefined))
    throw new TermRunError("usage", "--alpha and --max-drop need a --baseline");
  const runs: StoredRun[] = [];
  for (const dir of dirs) {
    const run = await readRun(dir);
    refuseOthers(run, dir, tasks);
    const same = runs.find(
      ({ record }) => record.run === run.record.run && record.started_at === run.record.started_at,
    );
    // Taken together, its trials would count twice.
    if (same)
      throw new TermRunError("usage", `the baselines ${same.dir} and ${dir} are the same run`);
    runs.push(run);
  }
  return runs;
}

function refuseOthers({ record }: StoredRun, dir: string, tasks: readonly Task[]): void {
  const digests = listDigests(record);
  const common = tasks.filter((task) => digests.has(task.name));
  const changed = common.filter((task) => digests.get(task.name) !== task.digest);
  if (common.length === 0)
    throw new TermRunError("usage", `the baseline ${dir} has none of these tasks`);
  if (changed.length > 0)
    throw new TermRunError(
      "usage",
      `the baseline ${dir} has other versions of these tasks: ${changed.map((task) => task.name).join(", ")}`,
      {
        hint: "Make a new baseline with the tasks as they are now, or leave these out (--exclude).",
      },
    );
}

/** Prints how the run compares with its baseline; false when it is worse. */
export async function passesBaseline(
  baselines: readonly StoredRun[],
  out: string,
  flags: BaselineFlags,
  print: (line: string) => void,
): Promise<boolean> {
  const run = await readRun(out);
  try {
    const { alpha = DEFAULT_ALPHA, maxDrop } = flags;
    const judgement = judgeAgainstBaseline(baselines, run, alpha, maxDrop);
    for (const line of describeJudgement(judgement, maxDrop)) print(line);
    return judgement.verdict === "ok";
  } catch (error) {
    if (!(error instanceof TermRunError)) throw error;
    // Nothing was scored on both sides: as with a threshold, that is a failure.
    print(`baseline: ${error.message}`);
    return false;
  }
}

import { TermRunError } from "../errors.js";
import { readRun, type StoredRun } from "../events/index.js";
import type { Task } from "../interfaces/index.js";
import { describeJudgement } from "../report/index.js";
import { compareRuns, judgeAgainstBaseline, listDigests } from "../score/index.js";

const DEFAULT_ALPHA = 0.05;

export interface BaselineFlags {
  baseline?: string;
  alpha?: number;
  maxDrop?: number;
}

/** The run to compare with; checked before anything is run. */
export async function readBaseline(
  flags: BaselineFlags,
  tasks: readonly Task[],
): Promise<StoredRun | null> {
  if (flags.baseline === undefined) {
    if (flags.alpha !== undefined || flags.maxDrop !== undefined)
      throw new TermRunError("usage", "--alpha and --max-drop need a --baseline");
    return null;
  }
  const baseline = await readRun(flags.baseline);
  const digests = listDigests(baseline.record);
  const common = tasks.filter((task) => digests.has(task.name));
  const changed = common.filter((task) => digests.get(task.name) !== task.digest);
  if (common.length === 0)
    throw new TermRunError("usage", `the baseline ${flags.baseline} has none of these tasks`);
  if (changed.length > 0)
    throw new TermRunError(
      "usage",
      `the baseline ${flags.baseline} has other versions of these tasks: ${changed.map((task) => task.name).join(", ")}`,
      {
        hint: "Make a new baseline with the tasks as they are now, or leave these out (--exclude).",
      },
    );
  return baseline;
}

/** Prints how the run compares with its baseline; false when it is worse. */
export async function passesBaseline(
  baseline: StoredRun,
  out: string,
  flags: BaselineFlags,
  print: (line: string) => void,
): Promise<boolean> {
  const run = await readRun(out);
  try {
    const comparison = compareRuns(baseline, run, flags.alpha ?? DEFAULT_ALPHA);
    const judgement = judgeAgainstBaseline(comparison, flags.maxDrop);
    print(describeJudgement(judgement, comparison, flags.maxDrop));
    return judgement.verdict === "ok";
  } catch (error) {
    if (!(error instanceof TermRunError)) throw error;
    // Nothing was scored on both sides: as with a threshold, that is a failure.
    print(`baseline: ${error.message}`);
    return false;
  }
}

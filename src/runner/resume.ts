import { join } from "node:path";
import { TermRunError } from "../errors.js";
import { readJson } from "../events/files.js";
import type { RunRecord, TrialResult } from "../events/records.js";
import type { PlannedTrial } from "./plan.js";
import { findDifference } from "./rules.js";

/**
 * The results that a run being resumed has already: finished trials stay, what the machine or an
 * interruption spoiled runs again. Throws when the two runs could not be added up.
 */
export async function readEarlierResults(
  out: string,
  now: RunRecord,
  trials: PlannedTrial[],
): Promise<TrialResult[]> {
  const before = await readJson<RunRecord>(join(out, "run.json"));
  if (before) refuseOtherRules(out, before, now);
  const results: TrialResult[] = [];
  for (const { trial, task } of trials) {
    const result = await readJson<TrialResult>(join(out, "trials", trial, "result.json"));
    if (!result?.outcome || ["infra_error", "cancelled"].includes(result.outcome)) continue;
    if (result.task_digest !== task.digest)
      throw mixed(`the task ${task.name} has changed since ${out} was made`);
    results.push(result);
  }
  return results;
}

function refuseOtherRules(out: string, before: RunRecord, now: RunRecord): void {
  const found = findDifference(before, now);
  if (!found) return;
  throw mixed(`${out} was made with ${found.what} ${found.one}, and this is ${found.other}`);
}

function mixed(message: string): TermRunError {
  return new TermRunError("usage", message, {
    hint: "Results of two different runs can't be mixed: go on with the same settings, or start a new run.",
  });
}

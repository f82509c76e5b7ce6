import type { StoredRun } from "../../events/index.js";
import { totalsOf } from "../run-totals.js";
import type { DocumentRun, DocumentTrial } from "./document.js";

/** A run with its trials in the order in which documents get them. */
export function arrangeRun(run: StoredRun): DocumentRun {
  const results = new Map(run.results.map((result) => [result.trial, result]));
  const planned = run.record.trials.map((own) => ({
    planned: own,
    result: results.get(own.trial) ?? null,
  }));
  const trials = [...groupByTask(planned).values()].flatMap((own) =>
    own.sort((a, b) => a.planned.attempt - b.planned.attempt),
  );
  return { ...run, totals: totalsOf(run), trials };
}

export function groupByTask(trials: readonly DocumentTrial[]): Map<string, DocumentTrial[]> {
  const tasks = new Map<string, DocumentTrial[]>();
  for (const trial of trials) {
    const own = tasks.get(trial.planned.task);
    if (own) own.push(trial);
    else tasks.set(trial.planned.task, [trial]);
  }
  return tasks;
}

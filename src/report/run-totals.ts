import type { RunSummary, StoredRun } from "../events/index.js";
import { summarize } from "../score/index.js";

/**
 * The totals of a run, computed from its results: a summary that an earlier version wrote may lack
 * numbers, and a run that was killed has no summary.
 */
export function totalsOf({ record, summary, results }: StoredRun): RunSummary {
  const ends = results.map((result) => result.finished_at).sort();
  return summarize({
    run: record.run,
    agent: record.agent.name,
    startedAt: summary?.started_at ?? record.started_at,
    finishedAt: summary?.finished_at ?? ends.at(-1) ?? record.started_at,
    interrupted: summary?.interrupted ?? true,
    planned: record.trials.length,
    results,
    tasks: record.tasks,
    unreadable: record.unreadable,
  });
}

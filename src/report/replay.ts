import { join } from "node:path";
import { FORMAT_VERSION, type RunSummary } from "../events/records.js";
import { readEvents, type StoredRun, trialFolder } from "../events/run-folder.js";
import type { Event } from "../events/types.js";
import { summarize } from "../score/summary.js";

/** The events of a stored run as a reporter would have got them, one trial after the other. */
export async function* replayRun(run: StoredRun): AsyncGenerator<Event> {
  const { dir, record, results } = run;
  yield {
    type: "run_started",
    time: record.started_at,
    format_version: FORMAT_VERSION,
    run: record.run,
    out: dir,
    agent: record.agent.name,
    sandbox: record.sandbox,
    concurrency: record.concurrency,
    trials: record.trials.map(({ trial }) => trial),
  };
  for await (const event of readLog(join(dir, "events.jsonl")))
    if (event.type !== "run_started" && event.type !== "run_finished") yield event;
  const done = new Map(results.map((result) => [result.trial, result]));
  for (const { trial } of record.trials) {
    // result.json is the authority on how a trial ended; it has the last word here as well.
    for await (const event of readLog(join(trialFolder(dir, trial), "events.jsonl")))
      if (event.type !== "trial_finished") yield event;
    const result = done.get(trial);
    if (result) yield { type: "trial_finished", time: result.finished_at, trial, result };
  }
  const summary = summaryOf(run);
  yield { type: "run_finished", time: summary.finished_at, summary };
}

/**
 * What a run's results add up to. They are the authority: a summary that an earlier version wrote
 * may lack numbers, and a run that never came to its end has none.
 */
export function summaryOf({ record, summary, results }: StoredRun): RunSummary {
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
  });
}

async function* readLog(file: string): AsyncGenerator<Event> {
  try {
    yield* readEvents(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

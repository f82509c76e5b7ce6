import { join } from "node:path";
import {
  type Event,
  type EventBody,
  FORMAT_VERSION,
  type RunEvent,
  readEvents,
  type StoredRun,
  type TrialEvent,
  trialFolder,
} from "../events/index.js";
import { totalsOf } from "./run-totals.js";

/** These are made from the run's files; the ones in the log are skipped. */
const FROM_FILES = ["run_started", "run_finished", "trial_finished", "trial_kept"];

/**
 * The events of a stored run as a reporter would have got them, one trial after the other. Those that
 * are made from the run's files have the position 0.
 */
export async function* replayRun(run: StoredRun): AsyncGenerator<Event> {
  const { dir, record, results } = run;
  const started: EventBody<RunEvent> = {
    type: "run_started",
    format_version: FORMAT_VERSION,
    run: record.run,
    out: dir,
    agent: record.agent.name,
    sandbox: record.sandbox,
    concurrency: record.concurrency,
    trials: record.trials.map(({ trial }) => trial),
  };
  yield { position: 0, time: record.started_at, ...started };
  yield* readLog(join(dir, "events.jsonl"));
  const done = new Map(results.map((result) => [result.trial, result]));
  for (const { trial } of record.trials) {
    yield* readLog(join(trialFolder(dir, trial), "events.jsonl"));
    const result = done.get(trial);
    if (!result) continue;
    const finished: EventBody<TrialEvent> = { type: "trial_finished", result };
    yield { position: 0, time: result.finished_at, trial, ...finished };
  }
  const summary = totalsOf(run);
  yield { position: 0, time: summary.finished_at, type: "run_finished", summary };
}

async function* readLog(file: string): AsyncGenerator<Event> {
  try {
    for await (const event of readEvents(file))
      if (!FROM_FILES.includes(event.type)) yield { ...event, position: event.position ?? 0 };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

import { join } from "node:path";
import { LogCursor } from "./log-cursor.js";
import { trialFolder } from "./run-folder.js";
import type { Event } from "./types.js";

/**
 * The events of a run after one position and up to another, in order. The run's own log says when
 * each trial started and ended; in between, the trial's log is read along with it. So only the
 * logs of trials that ran at the same time are open at once.
 */
export async function* readStoredEvents(
  dir: string,
  after = 0,
  upTo = Number.POSITIVE_INFINITY,
): AsyncGenerator<Event> {
  const run = await LogCursor.open(join(dir, "events.jsonl"));
  if (!run) return;
  const trials = new Map<string, LogCursor>();
  try {
    for (const [trial, position] of await skipRun(run, after)) {
      const log = await openTrial(dir, trial, position);
      if (log) trials.set(trial, await log.skipTo(after));
    }
    for (let last = after; ; ) {
      const next = earliest(run, trials);
      if (next.position > upTo || next.position === Number.POSITIVE_INFINITY) return;
      const { position, line } = next;
      await next.advance();
      // The start and the end of a trial are in both logs.
      if (position <= last) continue;
      last = position;
      const event = JSON.parse(line) as Event;
      if (event.type === "trial_started") await follow(dir, trials, event.trial, position);
      if (isTrialEnd(event)) await unfollow(trials, event.trial);
      yield event;
    }
  } finally {
    await Promise.all([run, ...trials.values()].map((log) => log.close()));
  }
}

/** Skips to a position in the run's log; returns the trials that were running there. */
async function skipRun(run: LogCursor, after: number): Promise<Map<string, number>> {
  const underWay = new Map<string, number>();
  for (; run.position <= after; await run.advance()) {
    const event = JSON.parse(run.line) as Event;
    if (event.type === "trial_started") underWay.set(event.trial, event.position);
    if (isTrialEnd(event)) underWay.delete(event.trial);
  }
  return underWay;
}

type TrialEnd = Event & { type: "trial_finished" | "trial_retried" };

function isTrialEnd(event: Event): event is TrialEnd {
  return event.type === "trial_finished" || event.type === "trial_retried";
}

function earliest(run: LogCursor, trials: Map<string, LogCursor>): LogCursor {
  let first = run;
  for (const log of trials.values()) if (log.position < first.position) first = log;
  return first;
}

async function follow(
  dir: string,
  trials: Map<string, LogCursor>,
  trial: string,
  position: number,
): Promise<void> {
  if (trials.get(trial)?.position === position) return;
  await unfollow(trials, trial);
  const log = await openTrial(dir, trial, position);
  if (log) trials.set(trial, log);
}

async function unfollow(trials: Map<string, LogCursor>, trial: string): Promise<void> {
  await trials.get(trial)?.close();
  trials.delete(trial);
}

/** The log that starts at this position: the trial's own, or that of one of its earlier tries. */
async function openTrial(dir: string, trial: string, position: number): Promise<LogCursor | null> {
  for (let number = 0; ; number++) {
    const name = number === 0 ? trial : `${trial}.try${number}`;
    const log = await LogCursor.open(join(trialFolder(dir, name), "events.jsonl"));
    if (log?.position === position) return log;
    await log?.close();
    if (!log && number > 0) return null;
  }
}

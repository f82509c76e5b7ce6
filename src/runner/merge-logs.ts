import { createWriteStream } from "node:fs";
import { cp, readdir } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import {
  type Event,
  FORMAT_VERSION,
  findLastPosition,
  type RunRecord,
  type RunSummary,
  readEvents,
  type StoredRun,
  trialFolder,
} from "../events/index.js";
import type { Candidate } from "./merge-plan.js";

/** A run to merge, and how its positions are shifted. */
interface Source {
  run: StoredRun;
  offset: number;
  /** The trials that are taken from it. */
  trials: Set<string>;
}

/** Writes one stream of events from those of several runs, one run after the other. */
export async function mergeLogs(
  runs: readonly StoredRun[],
  chosen: readonly Candidate[],
  { out, record, summary }: { out: string; record: RunRecord; summary: RunSummary },
): Promise<void> {
  // The first position is that of the merged run's own `run_started`.
  let offset = 1;
  const sources: Source[] = [];
  for (const run of runs) {
    const own = chosen.filter((candidate) => candidate.run === run);
    const trials = new Set(own.map(({ planned }) => planned.trial));
    sources.push({ run, offset, trials });
    offset += findLastPosition(run.dir);
  }
  for (const source of sources) await copyTrials(source, out);
  const events = mergeEvents(sources, { out, record, summary, last: offset + 1 });
  await pipeline(events, createWriteStream(join(out, "events.jsonl")));
}

/** Copies each trial's folder, and those of its earlier tries. */
async function copyTrials({ run, offset, trials }: Source, out: string): Promise<void> {
  for (const name of await readdir(join(run.dir, "trials"))) {
    if (!trials.has(name.replace(/\.try\d+$/, ""))) continue;
    const from = trialFolder(run.dir, name);
    const to = trialFolder(out, name);
    const log = join(from, "events.jsonl");
    await cp(from, to, { recursive: true, filter: (path) => path !== log });
    await pipeline(
      shiftEvents(readEvents(log), offset),
      createWriteStream(join(to, "events.jsonl")),
    ).catch(ignoreMissing);
  }
}

// A trial that was killed before its first event has no log.
function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}

async function* mergeEvents(
  sources: readonly Source[],
  {
    out,
    record,
    summary,
    last,
  }: { out: string; record: RunRecord; summary: RunSummary; last: number },
): AsyncGenerator<string> {
  yield lineOf({
    position: 1,
    time: record.started_at,
    type: "run_started",
    format_version: FORMAT_VERSION,
    run: record.run,
    out,
    agent: record.agent.name,
    sandbox: record.sandbox,
    concurrency: record.concurrency,
    trials: record.trials.map(({ trial }) => trial),
  });
  for (const { run, offset, trials } of sources)
    yield* shiftEvents(keepOwn(readEvents(join(run.dir, "events.jsonl")), trials), offset);
  yield lineOf({ position: last, time: summary.finished_at, type: "run_finished", summary });
}

/** Without the run's own start and end, and without trials that are taken from another run. */
async function* keepOwn(events: AsyncIterable<Event>, trials: Set<string>): AsyncGenerator<Event> {
  for await (const event of events)
    if ("trial" in event) {
      if (trials.has(event.trial)) yield event;
    } else if (event.type !== "run_started" && event.type !== "run_finished") yield event;
}

async function* shiftEvents(events: AsyncIterable<Event>, offset: number): AsyncGenerator<string> {
  for await (const event of events) yield lineOf({ ...event, position: event.position + offset });
}

// The position comes first, as in every log.
function lineOf({ position, ...event }: Event): string {
  return `${JSON.stringify({ position, ...event })}\n`;
}

import { createReadStream } from "node:fs";
import { join } from "node:path";
import split2 from "split2";
import { TermRunError } from "../errors.js";
import { readJson } from "./files.js";
import { FORMAT_VERSION, type RunRecord, type RunSummary, type TrialResult } from "./records.js";
import type { Event } from "./types.js";

/** A run as stored on disk. */
export interface StoredRun {
  dir: string;
  record: RunRecord;
  /** null when the run did not finish. */
  summary: RunSummary | null;
  /** Of the finished trials, in the order they were planned. */
  results: TrialResult[];
}

export async function readRun(dir: string): Promise<StoredRun> {
  const record = await readJson<RunRecord>(join(dir, "run.json"));
  if (!record?.trials)
    throw new TermRunError("usage", `${dir} is not a run: its run.json is missing or broken`, {
      hint: "Name the folder that a run printed, e.g. runs/2026-01-05T09-00-00-my-agent.",
    });
  if (record.format_version > FORMAT_VERSION)
    throw new TermRunError("usage", `${dir} was written by a newer term-run (${record.term_run})`, {
      hint: "Upgrade this one.",
    });
  const summary = await readJson<RunSummary>(join(dir, "summary.json"));
  const results: TrialResult[] = [];
  for (const { trial } of record.trials) {
    const result = await readJson<TrialResult>(join(trialFolder(dir, trial), "result.json"));
    if (result?.outcome) results.push(result);
  }
  return { dir, record, summary, results };
}

export function trialFolder(dir: string, trial: string): string {
  return join(dir, "trials", trial);
}

/** The events of a log, in order. A truncated last line is left out. */
export async function* readEvents(file: string): AsyncGenerator<Event> {
  const stream = createReadStream(file, "utf8");
  const lines = stream.pipe(split2());
  stream.on("error", (error) => lines.destroy(error));
  for await (const line of lines) {
    const event = parse(line as string);
    if (event) yield event;
  }
}

function parse(line: string): Event | null {
  try {
    const event = JSON.parse(line) as Event;
    // Logs of earlier versions have no positions.
    return { ...event, position: event.position ?? 0 };
  } catch {
    return null;
  }
}

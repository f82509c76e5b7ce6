import { createWriteStream } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import type { RunRecord, TrialResult } from "../events/records.js";
import { readRun, type StoredRun } from "../events/run-folder.js";
import type { Reporter } from "../interfaces/index.js";

/** Makes something of a run that lies on disk, whole: one trial at a time is in memory. */
export type ReportWriter = (run: StoredRun) => Promise<void>;

/** A reporter that waits for the end of the run and then reads it back from its folder. */
export function createStoredReporter(write: ReportWriter): Reporter {
  let out: string | null = null;
  let finished = false;
  return {
    event(event) {
      if (event.type === "run_started") out = event.out;
      if (event.type === "run_finished") finished = true;
    },
    async close() {
      // Without an end there is an error that the person hears of already.
      if (out !== null && finished) await write(await readRun(out));
    },
  };
}

/** Streams the pieces of a document into a file, which appears when it is whole. */
export async function writeDocument(file: string, pieces: AsyncIterable<string>): Promise<void> {
  const path = resolve(file);
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    await pipeline(pieces, createWriteStream(temporary));
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Each planned trial with its result, which is null when it never finished. */
export function pairTrials(
  run: StoredRun,
): { planned: RunRecord["trials"][number]; result: TrialResult | null }[] {
  const results = new Map(run.results.map((result) => [result.trial, result]));
  return run.record.trials.map((planned) => ({
    planned,
    result: results.get(planned.trial) ?? null,
  }));
}

import { join } from "node:path";
import type { TrialResult } from "../events/records.js";
import type { StoredRun } from "../events/run-folder.js";
import { readStory, type Story } from "../events/story.js";
import { pairTrials, writeDocument } from "../report/stored.js";
import { toAsciicast } from "./asciinema.js";
import { toAtif } from "./atif.js";
import { toJsonLine } from "./jsonl.js";

export const FORMATS = ["atif", "asciinema", "jsonl"] as const;
export type Format = (typeof FORMATS)[number];

type Convert = (run: StoredRun, story: Story, result: TrialResult | null) => string;

/** Formats with a file for each trial. */
const EACH: Record<Exclude<Format, "jsonl">, { ending: string; convert: Convert }> = {
  atif: {
    ending: ".trajectory.json",
    convert: (...trial) => `${JSON.stringify(toAtif(...trial), null, 2)}\n`,
  },
  asciinema: { ending: ".cast", convert: toAsciicast },
};

/** Writes a run's trajectories; one trial at a time is in memory. Returns the files. */
export async function exportRun(run: StoredRun, format: Format, out: string): Promise<string[]> {
  if (format === "jsonl") {
    const file = join(out, "trajectories.jsonl");
    await writeDocument(file, convertAll(run, toJsonLine));
    return [file];
  }
  const { ending, convert } = EACH[format];
  const files: string[] = [];
  for (const { planned, result } of pairTrials(run)) {
    const file = join(out, `${planned.trial}${ending}`);
    const story = await readStory(run.dir, planned.trial);
    // Never begun: there is nothing to tell.
    if (!result && story.started_at === null) continue;
    await writeDocument(file, once(convert(run, story, result)));
    files.push(file);
  }
  return files;
}

async function* convertAll(run: StoredRun, convert: Convert): AsyncGenerator<string> {
  for (const { planned, result } of pairTrials(run))
    yield convert(run, await readStory(run.dir, planned.trial), result);
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

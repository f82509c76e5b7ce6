import { join } from "node:path";
import type { StoredRun, Story } from "../events/index.js";
import {
  createFileWriter,
  type DocumentRun,
  type DocumentTrial,
  type DocumentWriter,
  writeDocuments,
  writeWhole,
} from "../report/index.js";
import { toAsciicast } from "./asciinema.js";
import { toAtif } from "./atif.js";
import { toJsonLine } from "./jsonl.js";

export const FORMATS = ["atif", "asciinema", "jsonl"] as const;
export type Format = (typeof FORMATS)[number];

type Convert = (run: StoredRun, trial: DocumentTrial, story: Story) => string;

/** Formats with one file per trial. */
const EACH: Record<Exclude<Format, "jsonl">, { ending: string; convert: Convert }> = {
  atif: {
    ending: ".trajectory.json",
    convert: (...trial) => `${JSON.stringify(toAtif(...trial), null, 2)}\n`,
  },
  asciinema: { ending: ".cast", convert: toAsciicast },
};

/** Writes a run's trajectories, with one trial at a time in memory. Returns the files. */
export async function exportRun(run: StoredRun, format: Format, out: string): Promise<string[]> {
  const files: string[] = [];
  const onWritten = (file: string) => files.push(file);
  const writer =
    format === "jsonl"
      ? createLineWriter(out, onWritten)
      : createEachWriter(format, out, onWritten);
  const failures: unknown[] = [];
  await writeDocuments(run, [writer], { onFailure: (error) => failures.push(error) });
  if (failures.length > 0) throw failures[0];
  return files;
}

/** A line for each trial, in one file. */
function createLineWriter(out: string, onWritten: (file: string) => void): DocumentWriter {
  let run: DocumentRun;
  const lines = {
    begin(whole: DocumentRun) {
      run = whole;
      return "";
    },
    trial: (trial: DocumentTrial, story: Story) => toJsonLine(run, trial, story),
    end: () => "",
  };
  return createFileWriter(lines, () => join(out, "trajectories.jsonl"), onWritten);
}

function createEachWriter(
  format: keyof typeof EACH,
  out: string,
  onWritten: (file: string) => void,
): DocumentWriter {
  const { ending, convert } = EACH[format];
  let run: DocumentRun;
  return {
    async begin(whole) {
      run = whole;
    },
    async trial(trial, story) {
      // A trial that never started has no trajectory.
      if (!trial.result && story.started_at === null) return;
      const file = join(out, `${trial.planned.trial}${ending}`);
      await writeWhole(file, convert(run, trial, story));
      onWritten(file);
    },
    async end() {},
    async abort() {},
  };
}

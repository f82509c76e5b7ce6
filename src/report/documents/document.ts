import type { RunRecord, RunSummary, StoredRun, Story, TrialResult } from "../../events/index.js";

/** A planned trial with its result, which is null when it never finished. */
export interface DocumentTrial {
  planned: RunRecord["trials"][number];
  result: TrialResult | null;
}

/** Everything about a run except its stories. */
export interface DocumentRun extends StoredRun {
  totals: RunSummary;
  /** By task, in the order they were planned, then by attempt. */
  trials: DocumentTrial[];
}

/** A report as text. Its pieces are requested in this order, so only one story is in memory at a time. */
export interface Document {
  begin(run: DocumentRun): string;
  /** For every trial, in the order of `run.trials`. */
  trial(trial: DocumentTrial, story: Story): string | Promise<string>;
  end(): string;
}

/** Something that is written while a run is read; `writeDocuments` drives it. */
export interface DocumentWriter {
  begin(run: DocumentRun): Promise<void>;
  trial(trial: DocumentTrial, story: Story): Promise<void>;
  end(): Promise<void>;
  /** Instead of `end`, after a failure: removes what was written. */
  abort(): Promise<void>;
}

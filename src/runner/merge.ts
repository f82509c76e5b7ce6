import { mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { TermRunError } from "../errors.js";
import { type RunRecord, type RunSummary, type StoredRun, writeJson } from "../events/index.js";
import { summarize } from "../score/index.js";
import { mergeLogs } from "./merge-logs.js";
import { type Candidate, chooseTrials, findGaps, refuseOtherRules } from "./merge-plan.js";

export interface Merged {
  summary: RunSummary;
  /** Descriptions of trials that several runs have, and which one counts. */
  duplicates: string[];
  /** Descriptions of what is missing. */
  gaps: string[];
}

/** Merges runs that have the same rules into one run's folder. */
export async function mergeRuns(runs: readonly StoredRun[], out: string): Promise<Merged> {
  refuseOtherRules(runs);
  const { chosen, duplicates } = chooseTrials(runs);
  const record = combineRecords(runs, chosen, basename(out));
  await mkdir(join(out, "trials"), { recursive: true });
  const summary = combineResults(runs, record, chosen);
  await mergeLogs(runs, chosen, { out, record, summary });
  await writeJson(join(out, "summary.json"), summary);
  // Last: its presence makes the folder a run.
  await writeJson(join(out, "run.json"), record);
  return { summary, duplicates, gaps: findGaps(runs, chosen) };
}

function combineRecords(
  runs: readonly StoredRun[],
  chosen: readonly Candidate[],
  name: string,
): RunRecord {
  const [first] = runs;
  if (!first) throw new TermRunError("usage", "there is no run to merge");
  const { shard: _, ...record } = first.record;
  const tasks = new Map(
    runs.flatMap((run) => run.record.tasks ?? []).map((task) => [task.task, task]),
  );
  return {
    ...record,
    run: name,
    started_at: runs.map((run) => run.record.started_at).sort()[0] ?? record.started_at,
    merged_from: runs.map((run) => run.record.run),
    trials: chosen.map(({ planned }) => planned),
    tasks: [...tasks.values()].sort((a, b) => (a.task < b.task ? -1 : 1)),
    ...combineLists(runs),
  };
}

/** What each shard read: mostly the same. */
function combineLists(runs: readonly StoredRun[]): Pick<RunRecord, "unreadable" | "datasets"> {
  const records = runs.map(({ record }) => record);
  const unreadable = new Map(
    records.flatMap((record) => record.unreadable ?? []).map((entry) => [entry.task, entry]),
  );
  const datasets = new Map(
    records
      .flatMap((record) => record.datasets ?? [])
      .map((entry) => [JSON.stringify(entry), entry]),
  );
  return {
    ...(unreadable.size > 0 ? { unreadable: [...unreadable.values()] } : {}),
    ...(datasets.size > 0 ? { datasets: [...datasets.values()] } : {}),
  };
}

function combineResults(
  runs: readonly StoredRun[],
  record: RunRecord,
  chosen: readonly Candidate[],
): RunSummary {
  const results = chosen.flatMap(({ result }) => (result ? [result] : []));
  const ends = [
    ...runs.flatMap(({ summary }) => (summary ? [summary.finished_at] : [])),
    ...results.map((result) => result.finished_at),
  ].sort();
  return summarize({
    run: record.run,
    agent: record.agent.name,
    startedAt: record.started_at,
    finishedAt: ends.at(-1) ?? record.started_at,
    interrupted: runs.some(({ summary }) => summary?.interrupted ?? true),
    planned: record.trials.length,
    results,
    tasks: record.tasks,
    unreadable: record.unreadable,
  });
}

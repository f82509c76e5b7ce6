import { createWriteStream } from "node:fs";
import { cp, mkdir, readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { TermRunError } from "../errors.js";
import { writeJson } from "../events/files.js";
import {
  FORMAT_VERSION,
  type RunRecord,
  type RunSummary,
  type TrialResult,
} from "../events/records.js";
import { readEvents, type StoredRun, trialFolder } from "../events/run-folder.js";
import type { Event } from "../events/types.js";
import { summarize } from "../score/summary.js";
import { findDifference } from "./rules.js";

type Planned = RunRecord["trials"][number];

interface Candidate {
  run: StoredRun;
  planned: Planned;
  result: TrialResult | null;
}

export interface Merged {
  summary: RunSummary;
  /** In words: trials that several runs have, and which one counts. */
  duplicates: string[];
  /** In words: what is missing. */
  gaps: string[];
}

/** Writes one run's folder from several that share their rules. */
export async function mergeRuns(runs: readonly StoredRun[], out: string): Promise<Merged> {
  refuseOtherRules(runs);
  const { chosen, duplicates } = chooseTrials(runs);
  const gaps = [...findMissingShards(runs), ...findMissingTrials(chosen)];
  const record = combineRecords(runs, chosen, basename(out));
  await mkdir(join(out, "trials"), { recursive: true });
  await copyTrials(chosen, out);
  const summary = combineResults(runs, record, chosen);
  await pipeline(
    mergeEvents(runs, record, out, summary),
    createWriteStream(join(out, "events.jsonl")),
  );
  await writeJson(join(out, "summary.json"), summary);
  // Last: its presence makes the folder a run.
  await writeJson(join(out, "run.json"), record);
  return { summary, duplicates, gaps };
}

function refuseOtherRules([first, ...rest]: readonly StoredRun[]): void {
  const digests = new Map<string, { digest: string; dir: string }>();
  const hint =
    "Only parts of one run can be merged. To hold two runs against each other: term-run compare.";
  for (const run of first ? [first, ...rest] : []) {
    const found = first && findDifference(first.record, run.record);
    if (found) {
      const made = `${first.dir} was made with ${found.what} ${found.one}, ${run.dir} with ${found.other}`;
      throw new TermRunError("usage", made, { hint });
    }
    for (const { task, task_digest } of run.record.trials) {
      const known = digests.get(task);
      if (known && known.digest !== task_digest)
        throw new TermRunError(
          "usage",
          `the task ${task} differs between ${known.dir} and ${run.dir}`,
          { hint },
        );
      digests.set(task, { digest: task_digest, dir: run.dir });
    }
  }
}

function chooseTrials(runs: readonly StoredRun[]): { chosen: Candidate[]; duplicates: string[] } {
  const candidates = new Map<string, Candidate[]>();
  for (const run of runs) {
    const results = new Map(run.results.map((result) => [result.trial, result]));
    for (const planned of run.record.trials) {
      const own = { run, planned, result: results.get(planned.trial) ?? null };
      candidates.set(planned.trial, [...(candidates.get(planned.trial) ?? []), own]);
    }
  }
  const chosen: Candidate[] = [];
  const duplicates: string[] = [];
  for (const [trial, own] of candidates) {
    const best = chooseBest(own);
    if (!best) continue;
    chosen.push(best);
    if (own.length > 1)
      duplicates.push(
        `${trial} is in ${own.map(({ run }) => run.dir).join(", ")}: ${best.run.dir} counts`,
      );
  }
  return { chosen: chosen.sort(byPlan), duplicates };
}

// Never by how good a result is: the first that says something about the agent, else the first
// that has any. It is what resuming a run would have kept.
function chooseBest(candidates: readonly Candidate[]): Candidate | undefined {
  const says = ({ result }: Candidate) =>
    result !== null && result.outcome !== "infra_error" && result.outcome !== "cancelled";
  return candidates.find(says) ?? candidates.find(({ result }) => result) ?? candidates[0];
}

/** As trials are planned: all first attempts before all second ones. */
function byPlan({ planned: a }: Candidate, { planned: b }: Candidate): number {
  return a.attempt - b.attempt || (a.task < b.task ? -1 : a.task > b.task ? 1 : 0);
}

function findMissingShards(runs: readonly StoredRun[]): string[] {
  const shards = runs.flatMap(({ record }) => (record.shard ? [record.shard] : []));
  const of = Math.max(0, ...shards.map((shard) => shard.of));
  const there = new Set(shards.filter((shard) => shard.of === of).map((shard) => shard.number));
  return Array.from({ length: of }, (_, place) => place + 1)
    .filter((number) => !there.has(number))
    .map((number) => `shard ${number}/${of} is missing`);
}

function findMissingTrials(chosen: readonly Candidate[]): string[] {
  const unfinished = chosen
    .filter(({ result }) => !result)
    .map(({ planned, run }) => `${planned.trial} has no result in ${run.dir}`);
  const attempts = Math.max(0, ...chosen.map(({ planned }) => planned.attempt));
  return [...unfinished, ...findMissingAttempts(chosen, attempts)];
}

function findMissingAttempts(chosen: readonly Candidate[], attempts: number): string[] {
  const byTask = new Map<string, Set<number>>();
  for (const { planned } of chosen) {
    const known = byTask.get(planned.task) ?? new Set();
    byTask.set(planned.task, known.add(planned.attempt));
  }
  return [...byTask].flatMap(([task, known]) =>
    Array.from({ length: attempts }, (_, place) => place + 1)
      .filter((attempt) => !known.has(attempt))
      .map((attempt) => `attempt ${attempt} of ${task} is in none of the runs`),
  );
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
  });
}

/** Each trial's folder, and those of its earlier tries beside it. */
async function copyTrials(chosen: readonly Candidate[], out: string): Promise<void> {
  const wanted = new Map<string, Set<string>>();
  for (const { run, planned } of chosen)
    wanted.set(run.dir, (wanted.get(run.dir) ?? new Set()).add(planned.trial));
  for (const [dir, trials] of wanted)
    for (const name of await readdir(join(dir, "trials")))
      if (trials.has(name.replace(/\.try\d+$/, "")))
        await cp(trialFolder(dir, name), trialFolder(out, name), { recursive: true });
}

async function* mergeEvents(
  runs: readonly StoredRun[],
  record: RunRecord,
  out: string,
  summary: RunSummary,
): AsyncGenerator<string> {
  const line = (event: Event) => `${JSON.stringify(event)}\n`;
  yield line({
    type: "run_started",
    time: record.started_at,
    format_version: FORMAT_VERSION,
    run: record.run,
    out,
    agent: record.agent.name,
    sandbox: record.sandbox,
    concurrency: record.concurrency,
    trials: record.trials.map(({ trial }) => trial),
  });
  for (const { dir } of runs)
    for await (const event of readEvents(join(dir, "events.jsonl")))
      if (event.type !== "run_started" && event.type !== "run_finished") yield line(event);
  yield line({ type: "run_finished", time: summary.finished_at, summary });
}

import { TermRunError } from "../errors.js";
import { isFinal, type RunRecord, type StoredRun, type TrialResult } from "../events/index.js";
import { findDifference } from "./rules.js";

type Planned = RunRecord["trials"][number];

/** A trial in one of the runs. */
export interface Candidate {
  run: StoredRun;
  planned: Planned;
  result: TrialResult | null;
}

/** Refuses runs whose results can't be added up. */
export function refuseOtherRules([first, ...rest]: readonly StoredRun[]): void {
  const digests = new Map<string, { digest: string; dir: string }>();
  const hint = "Only shards of the same run can be merged. To compare two runs: term-run compare.";
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

/** One candidate for each trial. */
export function chooseTrials(runs: readonly StoredRun[]): {
  chosen: Candidate[];
  duplicates: string[];
} {
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
        `${trial} is in ${own.map(({ run }) => run.dir).join(", ")}; the one in ${best.run.dir} counts`,
      );
  }
  return { chosen: chosen.sort(byPlan), duplicates };
}

// Never by how good a result is: the first scored or skipped one, else the first result at all.
// Resuming a run would have kept the same one.
function chooseBest(candidates: readonly Candidate[]): Candidate | undefined {
  const says = ({ result }: Candidate) => result !== null && isFinal(result.outcome);
  return candidates.find(says) ?? candidates.find(({ result }) => result) ?? candidates[0];
}

/** As trials are planned: all first attempts before all second ones. */
function byPlan({ planned: a }: Candidate, { planned: b }: Candidate): number {
  return a.attempt - b.attempt || (a.task < b.task ? -1 : a.task > b.task ? 1 : 0);
}

/** Descriptions of what a complete run would have and these don't. */
export function findGaps(runs: readonly StoredRun[], chosen: readonly Candidate[]): string[] {
  return [...findMissingShards(runs), ...findMissingTrials(chosen)];
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

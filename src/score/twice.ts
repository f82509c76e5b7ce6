import type { SubmittedRun } from "./scored-run.js";

/** Each run counts once, however often it was given: as a copy, or within a merged run. */
export function dropDuplicates(given: readonly SubmittedRun[]): {
  runs: SubmittedRun[];
  duplicates: string[];
} {
  const seen = new Map<string, SubmittedRun>();
  const duplicates: string[] = [];
  for (const run of given) {
    const { run: name, started_at, agent } = run.record;
    const key = JSON.stringify([name, started_at, agent, run.results]);
    if (seen.has(key)) duplicates.push(run.record.run);
    else seen.set(key, run);
  }
  const unique = [...seen.values()];
  const runs = unique.filter((run) => !unique.some((other) => isPartOf(run, other)));
  duplicates.push(...unique.filter((run) => !runs.includes(run)).map(({ record }) => record.run));
  return { runs, duplicates };
}

function isPartOf(run: SubmittedRun, merged: SubmittedRun): boolean {
  if (run === merged || !merged.record.merged_from?.includes(run.record.run)) return false;
  const results = new Set(merged.results.map((result) => JSON.stringify(result)));
  return run.results.every((result) => results.has(JSON.stringify(result)));
}

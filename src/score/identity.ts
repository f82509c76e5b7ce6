import type { ScoredRun } from "./scored-run.js";
import { sumUsage } from "./usage.js";

/** The runs of each agent. The same program with a different model is a different agent. */
export function groupByAgent<T extends ScoredRun>(runs: readonly T[]): T[][] {
  const groups = new Map<string, T[]>();
  for (const run of runs) {
    const { name, spec } = run.record.agent;
    const key = JSON.stringify([name, spec, listModels([run])]);
    groups.set(key, [...(groups.get(key) ?? []), run]);
  }
  return [...groups.values()];
}

export function listModels(runs: readonly ScoredRun[]): string[] {
  const usage = sumUsage(runs.flatMap((run) => run.results.map((result) => result.usage)));
  return usage?.models ?? [];
}

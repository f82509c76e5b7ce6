import type { GroupSummary, RunRecord, RunSummary, TrialResult } from "../events/index.js";
import { ratePasses } from "./rate.js";
import { averageReward, intervalOfReward } from "./reward.js";
import { groupByTask, keepScored, tallyTasks } from "./tally.js";

type Metadata = RunRecord["tasks"][number]["metadata"];

/** The results grouped by the tasks' metadata. A task without metadata is in no group. */
export function summarizeGroups(
  results: readonly TrialResult[],
  tasks: RunRecord["tasks"],
): RunSummary["groups"] {
  const groupBy = (namesOf: (metadata: Metadata) => string[]) =>
    collectGroups(results, new Map(tasks.map(({ task, metadata }) => [task, namesOf(metadata)])));
  return {
    difficulty: groupBy(({ difficulty }) => asNames([difficulty])),
    category: groupBy(({ category }) => asNames([category])),
    tag: groupBy(({ tags }) => asNames(Array.isArray(tags) ? tags : [])),
  };
}

function collectGroups(
  results: readonly TrialResult[],
  namesOf: Map<string, string[]>,
): GroupSummary[] {
  const groups = new Map<string, TrialResult[]>();
  for (const [task, trials] of groupByTask(results))
    for (const name of namesOf.get(task) ?? [])
      groups.set(name, [...(groups.get(name) ?? []), ...trials]);
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, trials]) => summarizeGroup(name, trials));
}

function summarizeGroup(name: string, trials: readonly TrialResult[]): GroupSummary {
  const tallies = tallyTasks(trials);
  return {
    name,
    tasks: tallies.length,
    pass_rate: ratePasses(tallies),
    mean_reward: averageReward(keepScored(trials)),
    mean_reward_interval: intervalOfReward(keepScored(trials)),
  };
}

// Metadata can be anything: only strings become groups.
function asNames(values: unknown[]): string[] {
  const names = values.filter((value) => typeof value === "string" && value.trim() !== "");
  return [...new Set(names as string[])];
}

import type { Rate } from "../events/index.js";
import { averageClusters } from "./clusters.js";
import { intervalOfShare } from "./share.js";
import type { Tally } from "./tally.js";
import { intervalOfTheseTasks } from "./these-tasks.js";
import { computeRate } from "./wilson.js";

/**
 * The pass rate of some tasks. With one trial for each task the trials are independent; with
 * several they are not, so the tasks are taken as the sample and their spread decides.
 */
export function ratePasses(tallies: readonly Tally[]): Rate {
  const tasks = tallies.filter((tally) => tally.scored > 0);
  const rate = computeRate(addUp(tasks, "passed"), addUp(tasks, "scored"));
  // With one task, its attempts are the sample.
  if (rate.value === null || tasks.length < 2 || rate.of === tasks.length) return rate;
  const mean = averageClusters(tasks.map(({ passed, scored }) => ({ sum: passed, count: scored })));
  if (!mean) return rate;
  const interval = intervalOfShare({ ...mean, value: rate.value });
  return {
    ...rate,
    ...interval,
    method: "wilson_effective",
    these_tasks: intervalOfTheseTasks(tasks, rate.value, rate.of),
  };
}

function addUp(tallies: readonly Tally[], field: "passed" | "scored"): number {
  return tallies.reduce((sum, tally) => sum + tally[field], 0);
}

import type { Rate } from "../events/index.js";
import { studentT } from "./student-t.js";
import type { Tally } from "./tally.js";
import { computeRate, wilsonInterval } from "./wilson.js";

/**
 * The pass rate of some tasks. With one trial for each task the trials are independent; with
 * several they are not, so the tasks are taken as the sample and their spread decides.
 */
export function ratePasses(tallies: readonly Tally[]): Rate {
  const tasks = tallies.filter((tally) => tally.scored > 0);
  const rate = computeRate(addUp(tasks, "passed"), addUp(tasks, "scored"));
  // With one task, its attempts are the sample.
  if (rate.value === null || tasks.length < 2 || rate.of === tasks.length) return rate;
  const standardError = clusteredError(tasks, rate.value, rate.of);
  // Tasks that all have the same result show no spread, which doesn't prove that there is none.
  if (standardError === 0)
    return { ...rate, ...wilsonInterval(rate.value, tasks.length), units: tasks.length };
  const half = studentT(0.95, tasks.length - 1) * standardError;
  return {
    ...rate,
    low: Math.max(0, rate.value - half),
    high: Math.min(1, rate.value + half),
    method: "clustered_t",
    units: tasks.length,
    standard_error: standardError,
  };
}

/** Of a ratio of sums over tasks; with equally many trials each, the plain error of the task means. */
function clusteredError(tasks: readonly Tally[], value: number, trials: number): number {
  const squares = tasks.reduce(
    (sum, { passed, scored }) => sum + (passed - scored * value) ** 2,
    0,
  );
  // A spread of 0 may come out slightly above 0 because of rounding.
  if (squares < 1e-18 * trials ** 2) return 0;
  return Math.sqrt((squares * tasks.length) / (tasks.length - 1)) / trials;
}

function addUp(tallies: readonly Tally[], field: "passed" | "scored"): number {
  return tallies.reduce((sum, tally) => sum + tally[field], 0);
}

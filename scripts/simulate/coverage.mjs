import { intervalOfAmount } from "../../src/score/amount.ts";
import { averageClusters } from "../../src/score/clusters.ts";
import { averageOverTasks, passAtK } from "../../src/score/pass-at-k.ts";
import { ratePasses } from "../../src/score/rate.ts";
import { intervalOfShare } from "../../src/score/share.ts";
import { createDraws } from "./random.mjs";
import { fillTable } from "./table.mjs";

const TASKS = [5, 10, 20, 40, 80];
const ATTEMPTS = [1, 2, 3, 5];
/** How alike two attempts at the same task are: from not at all to always the same. */
const ALIKE = [0, 0.3, 0.7, 1];

/** @import { Table } from "./table.mjs" */

/** How often the intervals of one run contain the truth. @param {number} rounds @returns {Table[]} */
export function coverIntervals(rounds) {
  const draws = createDraws(1);
  const { between, beta, count, normal } = draws;
  const base = { tasks: TASKS, attempts: ATTEMPTS, rounds };
  /** @param {number} tasks @returns {[number, number] | null} */
  const limits = (tasks) => (tasks >= 10 ? [93, 97] : null);

  /** @param {number} tasks @param {number} attempts @param {number} alike */
  const drawRun = (tasks, attempts, alike) => {
    const rate = between(0.05, 0.95);
    const chances = Array.from({ length: tasks }, () => beta(rate, alike));
    const tallies = chances.map((chance, index) => ({
      task: String(index),
      passed: count(attempts, chance),
      scored: attempts,
    }));
    return { rate, chances, tallies };
  };
  /** @param {{ low: number | null, high: number | null } | null} interval @param {number} truth */
  const covers = (interval, truth) =>
    (interval?.low ?? 1) <= truth + 1e-12 && truth - 1e-12 <= (interval?.high ?? 0);

  return [
    fillTable(
      { ...base, title: "Pass rate, tasks like these", populations: ALIKE },
      (alike, tasks, attempts) => {
        const { rate, tallies } = drawRun(tasks, attempts, alike);
        return covers(ratePasses(tallies), rate);
      },
      limits,
    ),
    fillTable(
      { ...base, title: "Pass rate, these tasks", populations: [0, 0.3, 0.7] },
      (alike, tasks, attempts) => {
        const { chances, tallies } = drawRun(tasks, attempts, alike);
        return covers(ratePasses(tallies).these_tasks, average(chances));
      },
      // One attempt doesn't show the noise: the most is assumed, and more than 95 % are covered.
      (tasks, attempts) => (attempts === 1 ? [93, 100] : limits(tasks)),
    ),
    fillTable(
      { ...base, title: "pass@k, k = attempts", populations: [0.3, 0.7], attempts: [2, 3, 5] },
      (alike, tasks, attempts) => {
        const { rate, tallies } = drawRun(tasks, attempts, alike);
        const all = averageOverTasks(tallies, attempts, passAtK).at(-1);
        return covers(all ?? null, truePassAtK(rate, alike, attempts));
      },
      limits,
    ),
    fillTable(
      { ...base, title: "Mean reward, partial rewards", populations: [0.3, 0.7] },
      (alike, tasks, attempts) => {
        const mean = between(0.05, 0.95);
        const clusters = Array.from({ length: tasks }, () => {
          const own = beta(mean, alike);
          const rewards = Array.from({ length: attempts }, () => beta(own, 0.5));
          return { sum: rewards.reduce((sum, reward) => sum + reward, 0), count: attempts };
        });
        const averaged = averageClusters(clusters);
        return covers(averaged && intervalOfShare(averaged), mean);
      },
      limits,
    ),
    ...[
      { title: "Time per trial (spread of tasks: 50 %)", spread: 0.5 },
      { title: "Cost per trial (spread of tasks: 80 %)", spread: 0.8 },
    ].map(({ title, spread }) =>
      fillTable(
        { ...base, title, populations: [spread] },
        (between, tasks, attempts) => {
          const clusters = Array.from({ length: tasks }, () => {
            const own = Math.exp(between * normal());
            const amounts = Array.from({ length: attempts }, () => own * Math.exp(0.3 * normal()));
            return { sum: amounts.reduce((sum, amount) => sum + amount, 0), count: attempts };
          });
          const averaged = averageClusters(clusters);
          const truth = Math.exp((between ** 2 + 0.3 ** 2) / 2);
          return covers(averaged && intervalOfAmount(averaged), truth);
        },
        limits,
      ),
    ),
  ];
}

/** 1 minus the chance that all of k attempts fail, for a beta distribution. @param {number} rate @param {number} alike @param {number} k */
function truePassAtK(rate, alike, k) {
  const size = 1 / alike - 1;
  let failed = 1;
  for (let attempt = 0; attempt < k; attempt += 1)
    failed *= ((1 - rate) * size + attempt) / (size + attempt);
  return 1 - failed;
}

/** @param {number[]} values */
function average(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

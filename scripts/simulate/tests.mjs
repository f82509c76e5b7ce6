import { correctForMany } from "../../src/score/holm.ts";
import { changeOf } from "../../src/score/pair.ts";
import { rankPairwise } from "../../src/score/ranks.ts";
import { testSigns } from "../../src/score/sign-flip.ts";
import { testForWorse } from "../../src/score/stratified.ts";
import { drawPairs } from "./agents.mjs";
import { createDraws } from "./random.mjs";
import { fillTable } from "./table.mjs";

const ALPHA = 0.05;

/** @import { Table } from "./table.mjs" */

/** How often the tests reject: by chance (size), and for a reason (power). @param {number} rounds @returns {Table[]} */
export function measureTests(rounds) {
  const draws = createDraws(3);
  const base = { tasks: [5, 10, 20, 40, 80], attempts: [1, 2, 3, 5], rounds };
  /** @typedef {Parameters<typeof drawPairs>[1]} Change */
  /** @param {Change} change @param {number} tasks @param {number} attempts */
  const gate = (change, tasks, attempts) =>
    testForWorse(drawPairs(draws, change, tasks, attempts)) <= ALPHA;
  /** @param {Change} change @param {number} tasks @param {number} attempts */
  const compare = (change, tasks, attempts) =>
    testSigns(drawPairs(draws, change, tasks, attempts).map(changeOf)).p_value <= ALPHA;
  /** @returns {[number, number]} */
  const size = () => [0, 5];
  /** What the gate must find: ten points that some tasks lost, with 80 tasks and 5 attempts. */
  /** @param {number} tasks @param {number} attempts @returns {[number, number] | null} */
  const power = (tasks, attempts) => (tasks === 80 && attempts === 5 ? [85, 100] : null);
  /** @param {string} title @param {Change} change @param {typeof gate} test @param {Table["limits"]} limits */
  const table = (title, change, test, limits) =>
    fillTable({ ...base, title, populations: [change] }, test, limits);
  return [
    table("Size of --baseline: the same agent twice", "none", gate, size),
    table("Size of compare: the same agent twice", "none", compare, size),
    table("Size of compare: other strengths, equally good", "exchanged", compare, size),
    fillTable(
      { ...base, title: "Size of compare with Holm: three runs", populations: [3] },
      (runs, tasks, attempts) => {
        const values = Array.from({ length: runs }, () => {
          const pairs = drawPairs(draws, "exchanged", tasks, attempts);
          return testSigns(pairs.map(changeOf)).p_value;
        });
        return correctForMany(values).some((value) => value <= ALPHA);
      },
      size,
    ),
    fillTable(
      {
        ...base,
        rounds: Math.ceil(rounds / 4),
        title: "Size of ranks: five equally good agents, any two told apart",
        populations: [5],
      },
      (agents, tasks, attempts) => {
        const chances = Array.from({ length: tasks }, () => draws.beta(0.7, 0.6));
        const shares = Array.from(
          { length: agents },
          () =>
            new Map(
              chances.map((chance, task) => [
                String(task),
                draws.count(attempts, chance) / attempts,
              ]),
            ),
        );
        return rankPairwise(shares, ALPHA).some(({ best, worst }) => best > 1 || worst < agents);
      },
      size,
    ),
    table("Power of --baseline: ten points lost, some tasks broke", "broken", gate, power),
    table("Power of --baseline: ten points lost, a little everywhere", "worse", gate, () => null),
    table("Power of --baseline: everything collapsed", "collapsed", gate, (_tasks, attempts) =>
      attempts > 1 ? [100, 100] : null,
    ),
    table("Power of compare: ten points lost, some tasks broke", "broken", compare, () => null),
    table("Power of compare: ten points lost, a little everywhere", "worse", compare, () => null),
  ];
}

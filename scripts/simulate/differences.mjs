import { measureChange } from "../../src/score/baseline.ts";
import { measureDifference } from "../../src/score/compare.ts";
import { changeOf } from "../../src/score/pair.ts";
import { ratePasses } from "../../src/score/rate.ts";
import { testSigns } from "../../src/score/sign-flip.ts";
import { drawPairs, TRUE_CHANGE } from "./agents.mjs";
import { createDraws } from "./random.mjs";
import { fillTable } from "./table.mjs";

const ALPHA = 0.05;

/** @import { Table } from "./table.mjs" */

/** How often the intervals of a difference contain the truth. @param {number} rounds @returns {Table[]} */
export function coverDifferences(rounds) {
  const draws = createDraws(2);
  const base = { tasks: [5, 10, 20, 40, 80], attempts: [1, 2, 3, 5], rounds };
  /** @param {number} tasks @returns {[number, number] | null} */
  const limits = (tasks) => (tasks >= 10 ? [93, 100] : null);
  return [
    fillTable(
      {
        ...base,
        title: "Difference in compare, tasks like these",
        populations: /** @type {const} */ (["none", "exchanged", "broken", "worse"]),
      },
      (change, tasks, attempts) => {
        const changes = drawPairs(draws, change, tasks, attempts).map(changeOf);
        const { low, high } = measureDifference(changes, testSigns(changes), ALPHA);
        return low <= TRUE_CHANGE[change] + 1e-12 && TRUE_CHANGE[change] - 1e-12 <= high;
      },
      limits,
    ),
    fillTable(
      {
        ...base,
        rounds: rounds * 5,
        title: "Difference from a baseline, these tasks",
        populations: /** @type {const} */ (["none", "broken", "worse"]),
      },
      (change, tasks, attempts) => {
        const pairs = drawPairs(draws, change, tasks, attempts);
        const rate = (/** @type {"baseline" | "candidate"} */ side) => ({
          pass_rate: ratePasses(pairs.map((pair) => ({ task: pair.task, ...pair[side] }))),
        });
        const truth =
          pairs.reduce((sum, { chances: [was = 0, is = 0] }) => sum + is - was, 0) / tasks;
        const { low, high } = measureChange(
          pairs.map(changeOf),
          rate("baseline"),
          rate("candidate"),
        );
        return low <= truth + 1e-12 && truth - 1e-12 <= high;
      },
      limits,
    ),
  ];
}

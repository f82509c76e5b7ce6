import { isDeepStrictEqual } from "node:util";
import Table from "cli-table3";
import { show, verdictHere } from "../../tests/parity/suite.ts";

/**
 * @typedef {object} Trial
 * @property {import("./term-run.mjs").ParityTask} task
 * @property {import("./term-run.mjs").ParityAgent} agent
 * @property {import("./term-run.mjs").Verdict | undefined} here
 * @property {import("./term-run.mjs").Verdict | undefined} there
 */

/**
 * Prints each verdict beside its counterpart; returns how many differences nothing explains.
 * @param {Trial[]} trials
 */
export function printMatrix(trials) {
  const table = new Table({
    head: ["task", "agent", "expected", "term-run", "Harbor or Terminal-Bench", "agree?"],
    style: { head: [], border: [] },
  });
  /** @type {Record<string, number>} */
  const counts = {};
  for (const trial of trials) {
    const { task, agent, here, there } = trial;
    const judgement = judge(trial);
    counts[judgement] = (counts[judgement] ?? 0) + 1;
    const verdicts = [task.expected[agent], here, there].map((verdict) =>
      verdict ? show(verdict) : "none",
    );
    table.push([task.name, agent, ...verdicts, judgement]);
  }
  console.log(`\n${table.toString()}\n`);
  for (const [judgement, count] of Object.entries(counts)) console.log(`${count} × ${judgement}`);
  return counts[DIFFERENT] ?? 0;
}

const DIFFERENT = "NO";

/** @param {Trial} trial */
function judge({ task, agent, here, there }) {
  if (!isDeepStrictEqual(rounded(here), rounded(verdictHere(task, agent) ?? undefined)))
    return DIFFERENT;
  if (typeof there?.error === "string" && there.error.startsWith("unavailable"))
    return "not compared";
  if (!isDeepStrictEqual(rounded(there), rounded(task.expected[agent]))) return DIFFERENT;
  return task.expected.here?.[agent] ? "explained" : "yes";
}

/** @param {import("./term-run.mjs").Verdict | undefined} verdict */
function rounded(verdict) {
  return Object.entries(verdict ?? { error: "none" })
    .map(([name, value]) => [name, typeof value === "number" ? value.toFixed(9) : value])
    .sort();
}

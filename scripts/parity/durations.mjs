import { runTrials as runHarborTrials } from "./harbor.mjs";
import { runTrials } from "./term-run.mjs";

/** One that has nothing but a small image. */
const TASK = "image-cmd";
const ATTEMPTS = 3;

/**
 * Prints how long a trial of an agent that does nothing takes, in Harbor and here.
 * @param {import("./term-run.mjs").ParityTask[]} tasks
 * @param {import("./term-run.mjs").Run} run
 */
export async function compareDurations(tasks, run) {
  const chosen = tasks.filter(({ name }) => name === TASK);
  if (chosen.length === 0) return;
  const how = { attempts: ATTEMPTS, concurrency: 1 };
  const { results } = await runHarborTrials(chosen, "nop", how, run);
  const there = median(results);
  const here = median(await runTrials(chosen, "nop", how, run));
  console.log(
    `\nA trial of an agent that does nothing (${TASK}, median of ${ATTEMPTS}): ` +
      `Harbor ${there.toFixed(2)} s, term-run ${here.toFixed(2)} s: ${(there / here).toFixed(1)}x`,
  );
}

/** @param {{ started_at: string, finished_at: string }[]} results */
function median(results) {
  const seconds = results
    .map(({ started_at, finished_at }) => (Date.parse(finished_at) - Date.parse(started_at)) / 1000)
    .sort((a, b) => a - b);
  return seconds[Math.floor(seconds.length / 2)] ?? Number.NaN;
}

import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { VARIABLES } from "../../tests/parity/suite.ts";

/**
 * @typedef {import("./term-run.mjs").ParityTask} ParityTask
 * @typedef {import("./term-run.mjs").ParityAgent} ParityAgent
 * @typedef {import("./term-run.mjs").Verdict} Verdict
 * @typedef {import("./term-run.mjs").Run} Run
 */

/** What Harbor says when this machine lacks what it needs for a task. */
const UNAVAILABLE = [
  { words: /network_mode=.* (not|isn't) supported/, needs: "images of a registry for its network" },
  { words: /dockerfile parse error/, needs: "a newer Docker engine" },
];

/**
 * The verdicts of Harbor itself, by task.
 * @param {ParityTask[]} tasks
 * @param {ParityAgent} agent
 * @param {Run} run
 * @returns {Promise<Map<string, Verdict>>}
 */
export async function runHarbor(tasks, agent, run) {
  if (tasks.length === 0) return new Map();
  const results = await runTrials(tasks, agent, { attempts: 1, concurrency: 2 }, run);
  return new Map(results.map((result) => [result.task_name, verdictOf(result)]));
}

/**
 * @param {ParityTask[]} tasks
 * @param {ParityAgent} agent
 * @param {{ attempts: number, concurrency: number }} how
 * @param {Run} run
 * @returns {Promise<Record<string, any>[]>}
 */
export async function runTrials(tasks, agent, { attempts, concurrency }, run) {
  const { scratch, tools, signal } = run;
  const name = `harbor-${agent}-${attempts}`;
  const dataset = join(scratch, `${name}-tasks`);
  await mkdir(dataset);
  for (const task of tasks) await cp(task.dir, join(dataset, task.name), { recursive: true });
  const numbers = ["--n-attempts", `${attempts}`, "--n-concurrent", `${concurrency}`];
  const others = ["--agent", agent, "--jobs-dir", scratch, "--job-name", name, "--yes", "--quiet"];
  const { all } = await execa(tools.harbor, ["run", "--path", dataset, ...numbers, ...others], {
    all: true,
    cwd: scratch,
    env: { ...tools.env, ...VARIABLES },
    reject: false,
    stdin: "ignore",
    cancelSignal: signal,
  });
  signal.throwIfAborted();
  const job = join(scratch, name);
  if (!existsSync(job)) throw new Error(`Harbor didn't run:\n${all}`);
  const files = (await readdir(job)).map((trial) => join(job, trial, "result.json"));
  return Promise.all(
    files.filter(existsSync).map(async (file) => JSON.parse(await readFile(file, "utf8"))),
  );
}

/** @param {Record<string, any>} result @returns {Verdict} */
function verdictOf({ verifier_result, exception_info, step_results }) {
  if (verifier_result?.rewards) return verifier_result.rewards;
  const steps = step_results?.map((/** @type {any} */ step) => step.exception_info) ?? [];
  const exception = exception_info ?? steps.find(Boolean);
  if (!exception) return { error: "no rewards" };
  const found = UNAVAILABLE.find(({ words }) => words.test(exception.exception_message));
  return { error: found ? `unavailable: ${found.needs}` : exception.exception_type };
}

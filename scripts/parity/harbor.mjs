import { existsSync, readFileSync } from "node:fs";
import { cp, mkdtemp, readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { execa } from "execa";
import { VARIABLES } from "../../tests/parity/suite.ts";

/**
 * @typedef {import("./term-run.mjs").ParityTask} ParityTask
 * @typedef {import("./term-run.mjs").ParityAgent} ParityAgent
 * @typedef {import("./term-run.mjs").Verdict} Verdict
 * @typedef {import("./term-run.mjs").Run} Run
 */

/** A network that Harbor enforces with a container of its own. */
const RESTRICTED = /^(network_mode = "(no-network|allowlist)"|allow_internet = false)/m;

/** What Harbor says when this machine lacks what it needs for a task. */
const UNAVAILABLE = [
  { words: /network_mode='\S+' is not supported/, needs: "images for its networks" },
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
  const isRestricted = (/** @type {ParityTask} */ { dir }) =>
    RESTRICTED.test(readFileSync(join(dir, "task.toml"), "utf8"));
  // A job ends as a whole where it can't enforce a task's network.
  const jobs = [tasks.filter((task) => !isRestricted(task)), tasks.filter(isRestricted)];
  /** @type {Map<string, Verdict>} */
  const verdicts = new Map();
  for (const job of jobs.filter(({ length }) => length > 0)) {
    const { results, output } = await runTrials(job, agent, { attempts: 1, concurrency: 2 }, run);
    for (const { name } of job) {
      const result = results.find(({ task_name }) => task_name === name);
      verdicts.set(name, result ? verdictOf(result) : errorOf("no result", output));
    }
  }
  return verdicts;
}

/**
 * @param {ParityTask[]} tasks
 * @param {ParityAgent} agent
 * @param {{ attempts: number, concurrency: number }} how
 * @param {Run} run
 * @returns {Promise<{ results: Record<string, any>[], output: string }>}
 */
export async function runTrials(tasks, agent, { attempts, concurrency }, run) {
  const { scratch, tools, signal } = run;
  const dataset = await mkdtemp(join(scratch, `harbor-${agent}-`));
  const name = `${basename(dataset)}-job`;
  for (const task of tasks)
    await cp(task.dir, join(dataset, task.name), { recursive: true, verbatimSymlinks: true });
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
  const results = await Promise.all(
    files.filter(existsSync).map(async (file) => JSON.parse(await readFile(file, "utf8"))),
  );
  return { results, output: all };
}

/** @param {Record<string, any>} result @returns {Verdict} */
function verdictOf({ verifier_result, exception_info, step_results }) {
  if (verifier_result?.rewards) return verifier_result.rewards;
  const steps = step_results?.map((/** @type {any} */ step) => step.exception_info) ?? [];
  const exception = exception_info ?? steps.find(Boolean);
  if (!exception) return { error: "no rewards" };
  return errorOf(exception.exception_type, exception.exception_message);
}

/** @param {string} name @param {string} text @returns {Verdict} */
function errorOf(name, text) {
  // Its tables break lines anywhere.
  const flat = text.replace(/[\s│]+/g, " ");
  const found = UNAVAILABLE.find(({ words }) => words.test(flat));
  return { error: found ? `unavailable: ${found.needs}` : name };
}

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { VARIABLES, verdictOf } from "../../tests/parity/suite.ts";
import { projectFolder } from "../lib/project.mjs";

/**
 * @typedef {import("../../tests/parity/suite.ts").ParityTask} ParityTask
 * @typedef {import("../../tests/parity/suite.ts").ParityAgent} ParityAgent
 * @typedef {import("../../tests/parity/suite.ts").Verdict} Verdict
 * @typedef {{ scratch: string, tools: import("./tools.mjs").Tools, signal: AbortSignal }} Run
 */

/**
 * The verdicts of term-run, by task.
 * @param {ParityTask[]} tasks
 * @param {ParityAgent} agent
 * @param {Run} run
 * @returns {Promise<Map<string, Verdict>>}
 */
export async function runTermRun(tasks, agent, run) {
  const results = await runTrials(tasks, agent, { attempts: 1, concurrency: 3 }, run);
  return new Map(tasks.map((task, at) => [task.name, verdictOf(results[at], task)]));
}

/**
 * The results of all trials: those of the first task, then those of the next one.
 * @param {ParityTask[]} tasks
 * @param {ParityAgent} agent
 * @param {{ attempts: number, concurrency: number }} how
 * @param {Run} run
 */
export async function runTrials(tasks, agent, { attempts, concurrency }, { scratch, signal }) {
  const out = join(scratch, `term-run-${agent}-${attempts}`);
  const numbers = ["--attempts", `${attempts}`, "--concurrency", `${concurrency}`];
  const others = ["--agent", agent, "--sandbox", "docker", "--retries", "0", "--out", out];
  const args = [...tasks.map(({ dir }) => dir), ...numbers, ...others];
  await execa(process.execPath, [join(projectFolder, "dist/cli/main.js"), ...args], {
    env: VARIABLES,
    reject: false,
    stdin: "ignore",
    cancelSignal: signal,
  });
  signal.throwIfAborted();
  const trials = tasks.flatMap(({ name }) =>
    Array.from({ length: attempts }, (_, at) => `${name}.${at + 1}`),
  );
  return Promise.all(
    trials.map(async (trial) =>
      JSON.parse(await readFile(join(out, "trials", trial, "result.json"), "utf8")),
    ),
  );
}

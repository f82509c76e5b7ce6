import { cp, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import Docker from "dockerode";
import { execa } from "execa";
import { VARIABLES } from "../../tests/parity/suite.ts";

/**
 * The verdicts of Terminal-Bench itself, by task.
 * @param {import("./term-run.mjs").ParityTask[]} tasks
 * @param {import("./term-run.mjs").ParityAgent} agent
 * @param {import("./term-run.mjs").Run} run
 * @returns {Promise<Map<string, import("./term-run.mjs").Verdict>>}
 */
export async function runTerminalBench(tasks, agent, { scratch, tools, signal }) {
  if (tasks.length === 0) return new Map();
  const name = `terminal-bench-${agent}`;
  const dataset = join(scratch, `${name}-tasks`);
  await mkdir(dataset);
  for (const task of tasks)
    await cp(task.dir, join(dataset, task.name), { recursive: true, verbatimSymlinks: true });
  const places = ["--dataset-path", dataset, "--output-path", scratch, "--run-id", name];
  // Its own clean-up would also prune the engine's build cache.
  const others = ["--agent", agent, "--n-concurrent", "2", "--no-cleanup"];
  const { all } = await execa(tools.terminalBench, ["run", ...places, ...others], {
    all: true,
    cwd: scratch,
    env: { ...tools.env, ...VARIABLES },
    reject: false,
    stdin: "ignore",
    cancelSignal: signal,
  });
  await removeImages(tasks, name);
  signal.throwIfAborted();
  const text = await readFile(join(scratch, name, "results.json"), "utf8").catch(() => {
    throw new Error(`Terminal-Bench didn't run:\n${all}`);
  });
  const { results } = JSON.parse(text);
  return new Map(
    results.map((/** @type {any} */ { task_id, is_resolved, failure_mode }) => [
      task_id,
      is_resolved === null ? { error: failure_mode } : { reward: Number(is_resolved) },
    ]),
  );
}

/** @param {{ name: string }[]} tasks @param {string} run */
async function removeImages(tasks, run) {
  const docker = new Docker();
  const prefixes = tasks.flatMap(({ name }) => [`tb__${name}__`, `${name}-1-of-1-${run}-`]);
  const tags = (await docker.listImages()).flatMap(({ RepoTags }) => RepoTags ?? []);
  const own = tags.filter((tag) => prefixes.some((prefix) => tag.startsWith(prefix)));
  for (const tag of own)
    await docker
      .getImage(tag)
      .remove()
      .catch(() => {});
}

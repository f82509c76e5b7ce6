// Runs the bundled tasks with a bundled agent; installs bubblewrap if the machine has no sandbox.
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { bubblewrapProblem, ensureBubblewrap } from "./lib/bubblewrap.mjs";
import { engineAnswers } from "./lib/engine.mjs";
import { SetupError } from "./lib/errors.mjs";
import { say } from "./lib/log.mjs";
import { runScript } from "./lib/main.mjs";
import { build, projectFolder } from "./lib/project.mjs";
import { runInForeground } from "./lib/signals.mjs";

const needs = `term-run needs a Docker engine that answers or, on Linux, bubblewrap.
bubblewrap needs user namespaces: where they are disabled, run as root or use Docker.`;

await runScript(start, 2);

/** @param {{ signal: AbortSignal, release: () => void }} options */
async function start(options) {
  await build(options);
  await ensureSandbox(options);
  options.signal.throwIfAborted();
  options.release();
  const bundled = [...(await tasksWithPlays()), "--agent", "agents-examples/playbook"];
  const args = ["dist/cli/main.js", ...bundled, ...process.argv.slice(2)];
  return runInForeground(process.execPath, args, { cwd: projectFolder });
}

/** The tasks that the playbook has a play for. */
async function tasksWithPlays() {
  const plays = await readdir(join(projectFolder, "agents-examples/playbook/plays"));
  return plays
    .map((file) => join("tasks", basename(file, ".mjs")))
    .filter((task) => existsSync(join(projectFolder, task)))
    .sort();
}

/** @param {{ signal: AbortSignal }} options */
async function ensureSandbox(options) {
  if (await engineAnswers()) return;
  const problem = await bubblewrapProblem();
  if (!problem) return;
  say(`no Docker engine answers, and ${problem}`);
  try {
    await ensureBubblewrap(options);
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    throw new SetupError(`${error.message}\n\n${needs}`);
  }
}

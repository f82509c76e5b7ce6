// Runs the parity suite with term-run, Harbor and Terminal-Bench, and compares every verdict.
// Arguments are globs of task names: `npm run parity -- 'tb-*'`.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Docker from "dockerode";
import picomatch from "picomatch";
import { AGENTS, readSuite, verdictHere } from "../tests/parity/suite.ts";
import { ensureBaseImage } from "./lib/base-image.mjs";
import { ensureEngine } from "./lib/engine.mjs";
import { SetupError } from "./lib/errors.mjs";
import { say, timed } from "./lib/log.mjs";
import { runScript } from "./lib/main.mjs";
import { build } from "./lib/project.mjs";
import { compareDurations } from "./parity/durations.mjs";
import { runHarbor } from "./parity/harbor.mjs";
import { printMatrix } from "./parity/matrix.mjs";
import { runTermRun } from "./parity/term-run.mjs";
import { runTerminalBench } from "./parity/terminal-bench.mjs";
import { ensureTools } from "./parity/tools.mjs";

await runScript(compare, 2);

/** @param {{ signal: AbortSignal }} options */
async function compare(options) {
  const isWanted = picomatch(process.argv.length > 2 ? process.argv.slice(2) : "*");
  const tasks = readSuite().filter(({ name }) => isWanted(name));
  if (tasks.length === 0) throw new SetupError("no task of the parity suite has such a name");
  await build(options);
  const stop = await ensureEngine(options);
  const scratch = await mkdtemp(join(tmpdir(), "term-run-parity-"));
  try {
    await ensureBaseImage(new Docker(), options);
    const tools = await ensureTools(options);
    const run = { ...options, tools, scratch };
    const trials = [];
    for (const agent of AGENTS) {
      const chosen = tasks.filter((task) => verdictHere(task, agent) !== null);
      /** @param {string} format */
      const those = (format) => chosen.filter((task) => task.format === format);
      const here = await timed(`term-run, ${agent}`, () => runTermRun(chosen, agent, run));
      const there = new Map([
        ...(await timed(`Harbor, ${agent}`, () => runHarbor(those("harbor"), agent, run))),
        ...(await timed(`Terminal-Bench, ${agent}`, () =>
          runTerminalBench(those("terminal-bench"), agent, run),
        )),
      ]);
      for (const task of chosen)
        trials.push({ task, agent, here: here.get(task.name), there: there.get(task.name) });
    }
    const differences = printMatrix(trials);
    await compareDurations(tasks, run);
    if (differences > 0) say(`what each runner wrote is in ${scratch}`);
    else await rm(scratch, { recursive: true, force: true });
    return differences === 0 ? 0 : 1;
  } finally {
    await stop();
  }
}

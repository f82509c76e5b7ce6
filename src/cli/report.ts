import { resolve } from "node:path";
import type { Command } from "commander";
import { readRun } from "../events/index.js";
import { EXIT } from "./exit-codes.js";
import { collect } from "./options.js";
import { REPORTER_HELP, type ReporterFlags, replayTo } from "./reporters.js";

const EXAMPLES = `
Examples:
  term-run report runs/demo                                  on the console, as the run did
  term-run report runs/demo --reporter html,junit            report.html and junit.xml in the run's folder
  term-run report runs/demo --reporter markdown=comment.md`;

/** `term-run report RUN`: what a run would have shown, from its files. */
export function addReportCommand(program: Command, exit: (code: number) => void): void {
  program
    .command("report")
    .description("write reports of a finished run")
    .argument("<run>", "the folder of a run")
    .option("--reporter <names>", REPORTER_HELP, collect)
    .option("-q, --quiet", "print only the totals")
    .option("-v, --verbose", "print commands and the agent's stderr")
    .option("--json", "print the events as JSON lines, nothing else")
    .addHelpText("after", EXAMPLES)
    .action(async (dir: string, flags: ReporterFlags) => {
      const run = await readRun(resolve(dir));
      exit((await replayTo(run, flags)) ? EXIT.ok : EXIT.infra);
    });
}

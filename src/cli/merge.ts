import { resolve } from "node:path";
import type { Command } from "commander";
import { TermRunError } from "../errors.js";
import { type RunSummary, readRun } from "../events/index.js";
import { mergeRuns } from "../runner/index.js";
import { EXIT } from "./exit-codes.js";
import { collect, share } from "./options.js";
import { openReporters, REPORTER_HELP, type ReporterFlags, replay } from "./reporters.js";
import { openRunFolder } from "./run-folder.js";

interface MergeFlags extends ReporterFlags {
  out: string;
  failUnder?: number;
}

const EXAMPLES = `
Examples:
  term-run merge shards/* --out results --reporter html,junit
  term-run merge shards/* --out results --fail-under 80%

Exit codes: 0 nothing is missing; 1 below --fail-under; 2 the runs can't be merged;
3 trials are missing, or infrastructure errors remained.`;

/** `term-run merge RUNS... --out RUN`: one run from its shards. */
export function addMergeCommand(program: Command, exit: (code: number) => void): void {
  program
    .command("merge")
    .description("merge the shards of a run")
    .argument("<runs...>", "folders of the shards")
    .requiredOption("-o, --out <folder>", "folder for the merged run")
    .option("--fail-under <share>", "exit 1 when the pass rate is lower", share)
    .option("--reporter <names>", REPORTER_HELP, collect)
    .option("-q, --quiet", "print only the totals")
    .option("--json", "print the events as JSON lines, nothing else")
    .addHelpText("after", EXAMPLES)
    .action(async (dirs: string[], flags: MergeFlags) => exit(await merge(dirs, flags)));
}

async function merge(dirs: string[], flags: MergeFlags): Promise<number> {
  const paths = dirs.map((dir) => resolve(dir));
  const twice = paths.find((path, place) => paths.indexOf(path) !== place);
  if (twice) throw new TermRunError("usage", `${twice} is named twice`);
  const runs = [];
  for (const path of paths) runs.push(await readRun(path));
  const reporters = openReporters(flags);
  const out = await openRunFolder({ out: flags.out }, "");
  const { summary, duplicates, gaps } = await mergeRuns(runs, out);
  const written = await replay(await readRun(out), reporters);
  for (const text of duplicates) process.stderr.write(`term-run: duplicate: ${text}\n`);
  for (const text of gaps) process.stderr.write(`term-run: gap: ${text}\n`);
  return written ? exitCodeOf(summary, gaps, flags.failUnder) : EXIT.infra;
}

// Missing trials take precedence over a threshold: the rate is not that of the whole run.
function exitCodeOf(summary: RunSummary, gaps: string[], failUnder: number | undefined): number {
  if (gaps.length > 0 || summary.outcomes.infra_error > 0) return EXIT.infra;
  if (failUnder !== undefined && (summary.pass_rate.value ?? 0) < failUnder) return EXIT.below;
  return EXIT.ok;
}

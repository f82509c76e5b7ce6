import type { Command } from "commander";
import { TermRunError } from "../errors.js";
import { FORMAT_VERSION, readRun } from "../events/index.js";
import { createPalette, describeComparison, writeComparisonMarkdown } from "../report/index.js";
import { type Comparison, compareRuns } from "../score/index.js";
import { EXIT } from "./exit-codes.js";
import { probability } from "./options.js";

interface CompareFlags {
  alpha: number;
  allowDifferentTasks?: boolean;
  json?: boolean;
  markdown?: boolean;
}

const PLAIN_COLUMNS = 100;

const NOTES = `
Examples:
  term-run compare runs/before runs/after
  term-run compare runs/base runs/variant-a runs/variant-b     each with the first
  term-run compare runs/before runs/after --markdown > comment.md
  term-run compare runs/before runs/after --json | jq -r '.comparisons[].verdict'

Runs are paired by task. A difference counts if it is unlikely when the signs of the tasks'
differences are up to chance (a permutation test), corrected for the number of runs; otherwise there
is no difference you can trust. To ask whether an agent got worse on the same tasks, use --baseline.

Exit codes: 0 compared, whatever the result; 2 bad usage, or tasks that changed between the runs.`;

/** \`term-run compare RUN_A RUN_B\`: is one better, or is it chance? */
export function addCompareCommand(program: Command, exit: (code: number) => void): void {
  program
    .command("compare")
    .description("compare runs task by task and say whether the difference can be trusted")
    .argument("<baseline>", "folder of the run to compare with")
    .argument("<runs...>", "folders of the runs to compare")
    .option("--alpha <p>", "how often chance may be taken for a difference", probability, 0.05)
    .option("--allow-different-tasks", "compare by name even if the files of tasks differ")
    .option("--json", "print one JSON document, nothing else")
    .option("--markdown", "print Markdown, for a pull request")
    .addHelpText("after", NOTES)
    .action(async (baseline: string, runs: string[], flags: CompareFlags) =>
      exit(await compare(baseline, runs, flags)),
    );
}

async function compare(first: string, others: string[], flags: CompareFlags): Promise<number> {
  if (flags.json && flags.markdown)
    throw new TermRunError("usage", "--json and --markdown can't be used together");
  const baseline = await readRun(first);
  const runs = [];
  for (const other of others) runs.push(await readRun(other));
  const comparisons = compareRuns(baseline, runs, flags.alpha);
  if (!flags.allowDifferentTasks)
    for (const [index, { tasks }] of comparisons.entries())
      refuseChangedTasks(tasks.changed, first, others[index] as string);
  print(comparisons, flags);
  return EXIT.ok;
}

/** A task whose files changed in between is not the same task. */
function refuseChangedTasks(changed: string[], first: string, other: string): void {
  if (changed.length === 0) return;
  throw new TermRunError(
    "usage",
    `${first} and ${other} were made with different versions of these tasks: ${changed.join(", ")}`,
    { hint: "Run both on the same files, or compare anyway with --allow-different-tasks." },
  );
}

function print(comparisons: Comparison[], flags: CompareFlags): void {
  const { stdout } = process;
  if (flags.json) {
    const document = { format_version: FORMAT_VERSION, comparisons };
    stdout.write(`${JSON.stringify(document, null, 2)}\n`);
    return;
  }
  const palette = createPalette(stdout.isTTY === true);
  const blocks = comparisons.map((comparison) =>
    flags.markdown
      ? writeComparisonMarkdown(comparison)
      : describeComparison(comparison, stdout.columns ?? PLAIN_COLUMNS, palette),
  );
  stdout.write(`${blocks.map((lines) => lines.join("\n")).join("\n\n")}\n`);
}

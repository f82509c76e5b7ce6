import type { Command } from "commander";
import { type CheckProgress, type CheckReport, checkTasks } from "../check-task/index.js";
import {
  createPalette,
  createScreen,
  describeCheckProgress,
  describeTaskCheck,
} from "../report/index.js";
import { withScratchFolder } from "../runner/index.js";
import { openProvider } from "../sandbox/index.js";
import { findTasks } from "../task/index.js";
import { EXIT } from "./exit-codes.js";
import { listenForInterrupt } from "./interrupt.js";
import { addRegistryOption, type RegistryFlags, TASKS_HELP, withFetching } from "./registries.js";
import { addConcurrencyOption, addSandboxOptions } from "./run-options.js";
import { readVersion } from "./version.js";

interface CheckFlags extends RegistryFlags {
  sandbox: string;
  image: string;
  harden?: boolean;
  concurrency: number;
  json: boolean;
}

const PLAIN_COLUMNS = 120;

const NOTES = `
Examples:
  term-run check tasks/
  term-run check tasks/my-task --sandbox bubblewrap
  term-run check tasks/ --json > check.json

Each task is run five times: twice with its own solution, twice with nothing done, and once to see
whether the agent could find the tests. A warning is not a failure.

Exit codes: 0 no task failed; 1 a task failed; 2 bad usage or an unreadable task;
3 an infrastructure error; 130 interrupted.`;

/** \`term-run check TASKS\`: is each task fit to score an agent with? */
export function addCheckCommand(program: Command, exit: (code: number) => void): void {
  const command = program
    .command("check")
    .description(
      "check tasks, point by point: they build, can be solved, and fail when nothing is done",
    )
    .argument("<tasks...>", TASKS_HELP);
  addRegistryOption(addConcurrencyOption(addSandboxOptions(command, "where the trials run")))
    .option("--json", "print one JSON document, nothing else", false)
    .addHelpText("after", NOTES)
    .action(async (paths: string[], flags: CheckFlags) => exit(await check(paths, flags)));
}

async function check(paths: string[], flags: CheckFlags): Promise<number> {
  const { tasks, unreadable, warnings } = await withFetching(flags, (options) =>
    findTasks(paths, { ...options, skipUnreadable: true }),
  );
  for (const text of warnings) process.stderr.write(`term-run: ${text}\n`);
  const progress = openProgress(flags.json);
  const interrupt = listenForInterrupt("stopping the trials", undefined, progress.close);
  try {
    const { provider, notice } = await openProvider(flags.sandbox, {
      defaultImage: flags.image,
      hardened: flags.harden === true,
    });
    if (notice) process.stderr.write(`term-run: ${notice}\n`);
    const report = await withScratchFolder("check", (out) =>
      checkTasks({
        tasks,
        unreadable,
        provider,
        out,
        version: readVersion(),
        concurrency: flags.concurrency,
        onProgress: progress.show,
        signal: interrupt.signal,
      }),
    );
    progress.close();
    print(report, flags.json);
    return exitCodeOf(report);
  } catch (error) {
    if (interrupt.signal.aborted) return EXIT.interrupted;
    throw error;
  } finally {
    progress.close();
    interrupt.stop();
  }
}

/** A progress line that is redrawn in place, if stderr is a terminal. */
function openProgress(json: boolean): { show(progress: CheckProgress): void; close(): void } {
  const { stderr } = process;
  if (json || !stderr.isTTY) return { show: () => {}, close: () => {} };
  const size = () => ({ columns: stderr.columns || PLAIN_COLUMNS, rows: stderr.rows || 24 });
  const screen = createScreen(stderr, size);
  const palette = createPalette(true);
  let isOpen = true;
  return {
    show: (progress) => {
      if (isOpen) screen.show([], [describeCheckProgress(progress, size().columns, palette)]);
    },
    close: () => {
      if (isOpen) screen.show([], []);
      isOpen = false;
    },
  };
}

function print(report: CheckReport, json: boolean): void {
  const { stdout } = process;
  const palette = createPalette(stdout.isTTY === true);
  const lines = json
    ? [JSON.stringify(report, null, 2)]
    : describeTaskCheck(report, stdout.columns || PLAIN_COLUMNS, palette);
  stdout.write(`${lines.join("\n")}\n`);
}

function exitCodeOf({ totals }: CheckReport): number {
  if (totals.unreadable > 0) return EXIT.usage;
  if (totals.infra_error > 0) return EXIT.infra;
  return totals.failed > 0 ? EXIT.below : EXIT.ok;
}

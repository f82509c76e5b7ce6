import { Command, CommanderError, Help, Option } from "commander";
import { addCheckCommand } from "./check.js";
import { addCheckAgentCommand } from "./check-agent.js";
import { addCompareCommand } from "./compare.js";
import { addDatasetCommand } from "./dataset.js";
import { EXIT } from "./exit-codes.js";
import { addExportCommand } from "./export.js";
import { addInitCommand } from "./init.js";
import { addLeaderboardCommand } from "./leaderboard.js";
import { addMergeCommand } from "./merge.js";
import { addPlanCommand } from "./plan.js";
import { addReportCommand } from "./report.js";
import { addRunCommand, EXAMPLES } from "./run.js";
import { addSubmitCommand } from "./submit.js";
import { addTryCommand } from "./try.js";
import { addVerifySubmissionCommand } from "./verify-submission.js";
import { readVersion } from "./version.js";

export function createProgram(): { run(argv: string[]): Promise<number> } {
  const program = new Command("term-run")
    .description("Runs AI agents against terminal tasks and scores them honestly.")
    .version(readVersion(), "-V, --version")
    .showHelpAfterError("(term-run --help lists commands and options)")
    .configureOutput({
      outputError: (text, write) => write(text.replace(/^error: /, "term-run: ")),
    })
    .exitOverride();
  let exitCode: number = EXIT.ok;
  const exit = (code: number) => {
    exitCode = code;
  };
  const run = addRunCommand(program, exit);
  addCheckCommand(program, exit);
  addCheckAgentCommand(program, exit);
  addCompareCommand(program, exit);
  addDatasetCommand(program, exit);
  addExportCommand(program, exit);
  addInitCommand(program);
  addLeaderboardCommand(program, exit);
  addMergeCommand(program, exit);
  addPlanCommand(program, exit);
  addReportCommand(program, exit);
  addSubmitCommand(program, exit);
  addTryCommand(program, exit);
  addVerifySubmissionCommand(program, exit);
  showOptionsOf(program, run);
  return {
    async run(argv) {
      if (argv.length <= 2) {
        program.outputHelp({ error: true });
        return EXIT.usage;
      }
      try {
        await program.parseAsync(argv);
        return exitCode;
      } catch (error) {
        if (!(error instanceof CommanderError)) throw error;
        return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
      }
    },
  };
}

/** `term-run --help` is where people look first: it shows the default command's options too. */
function showOptionsOf(program: Command, run: Command): void {
  program
    .usage("<tasks...> --agent <agent> [options]\n       term-run <command> [options]")
    .configureHelp({
      visibleOptions: (command) =>
        command === program
          ? [...run.options, ...program.options, new Option("-h, --help", "display this help")]
          : Help.prototype.visibleOptions.call(new Help(), command),
    })
    .addHelpText("after", EXAMPLES);
}

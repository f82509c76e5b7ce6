import { readFileSync } from "node:fs";
import { Command, CommanderError } from "commander";
import { EXIT } from "./exit-codes.js";
import { addRunCommand } from "./run.js";

export function readVersion(): string {
  const file = new URL("../../package.json", import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")).version;
}

export function createProgram(): { run(argv: string[]): Promise<number> } {
  const program = new Command("term-run")
    .description("Runs AI agents against terminal tasks and scores them honestly.")
    .version(readVersion(), "-V, --version")
    .showHelpAfterError("(term-run --help shows what there is)")
    .exitOverride();
  let exitCode: number = EXIT.ok;
  addRunCommand(program, (code) => {
    exitCode = code;
  });
  return {
    async run(argv) {
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

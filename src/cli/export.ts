import { join, relative, resolve } from "node:path";
import { type Command, Option } from "commander";
import { readRun } from "../events/index.js";
import { exportRun, FORMATS, type Format } from "../export/index.js";
import { EXIT } from "./exit-codes.js";

const EXAMPLES = `
Examples:
  term-run export runs/demo --format atif --out trajectories     a JSON document for each trial
  term-run export runs/demo --format asciinema                   casts in runs/demo/export/asciinema
  asciinema play runs/demo/export/asciinema/hello-world.1.cast`;

/** `term-run export RUN`: trajectories in formats that other tools read. */
export function addExportCommand(program: Command, exit: (code: number) => void): void {
  program
    .command("export")
    .description("write a run's trajectories for other tools")
    .argument("<run>", "the folder of a run")
    .addOption(new Option("-f, --format <format>").choices([...FORMATS]).makeOptionMandatory())
    .option("-o, --out <folder>", "where files go (default: export/<format> in the run's folder)")
    .addHelpText("after", EXAMPLES)
    .action(async (dir: string, flags: { format: Format; out?: string }) => {
      const run = await readRun(resolve(dir));
      const out = flags.out ?? join(run.dir, "export", flags.format);
      const files = await exportRun(run, flags.format, resolve(out));
      const count = files.length === 1 ? "1 file" : `${files.length} files`;
      process.stdout.write(`wrote ${count} to ${relative(process.cwd(), resolve(out)) || "."}\n`);
      exit(EXIT.ok);
    });
}

import type { Command } from "commander";
import { createPalette, describeDataset, describeDatasets } from "../report/index.js";
import { fetchDataset, listDatasets, showDataset } from "../task/index.js";
import { EXIT } from "./exit-codes.js";
import { addRegistryOption, type RegistryFlags, withFetching } from "./registries.js";

interface DatasetFlags extends RegistryFlags {
  json?: boolean;
}

const PLAIN_COLUMNS = 120;

const NOTES = `
Examples:
  term-run dataset list
  term-run dataset show terminal-bench@2.0
  term-run dataset fetch terminal-bench-core@0.1.1
  term-run dataset list --registry https://github.com/my-org/my-tasks.git
  term-run terminal-bench@2.0 --agent ./my-agent       run one; it is fetched when it is needed

Registries are Harbor's registry.json and dataset.toml, and Terminal-Bench's registry.json. What is
fetched is kept in $XDG_CACHE_HOME/term-run/datasets (~/.cache by default) and works offline.

Exit codes: 0 done; 2 bad usage, no such dataset, or tasks that can't be read; 3 it can't be fetched.`;

/** `term-run dataset list|show|fetch`: what registries have. */
export function addDatasetCommand(program: Command, exit: (code: number) => void): void {
  const dataset = program
    .command("dataset")
    .description("list, show and fetch the datasets of a registry")
    .addHelpText("after", NOTES);
  addRegistryOption(dataset.command("list").description("list the datasets and their versions"))
    .option("--json", "print one JSON document, nothing else")
    .action(async (flags: DatasetFlags) => exit(await list(flags)));
  addRegistryOption(dataset.command("show").description("show a dataset and its tasks"))
    .argument("<name>", "NAME or NAME@VERSION")
    .option("--json", "print one JSON document, nothing else")
    .action(async (name: string, flags: DatasetFlags) => exit(await show(name, flags)));
  addRegistryOption(
    dataset.command("fetch").description("fetch a dataset into the cache, and print its folder"),
  )
    .argument("<name>", "NAME or NAME@VERSION")
    .action(async (name: string, flags: DatasetFlags) => exit(await fetch(name, flags)));
}

async function list(flags: DatasetFlags): Promise<number> {
  const { datasets, warnings } = await withFetching(flags, listDatasets);
  warn(warnings);
  const { columns, palette } = describeScreen();
  print(flags.json ? toJson(datasets) : describeDatasets(datasets, columns, palette));
  return EXIT.ok;
}

async function show(name: string, flags: DatasetFlags): Promise<number> {
  const found = await withFetching(flags, (options) => showDataset(name, options));
  warn(found.warnings);
  const { dataset, tasks } = found;
  const { columns, palette } = describeScreen();
  print(
    flags.json ? toJson({ ...dataset, tasks }) : describeDataset(dataset, tasks, columns, palette),
  );
  return EXIT.ok;
}

async function fetch(name: string, flags: RegistryFlags): Promise<number> {
  const found = await withFetching(flags, (options) => fetchDataset(name, options));
  const { folders, unreadable } = found;
  warn(found.warnings);
  warn(unreadable.map(({ task, problem }) => `${task} can't be read: ${problem}`));
  print(folders);
  return unreadable.length > 0 ? EXIT.usage : EXIT.ok;
}

function toJson(value: unknown): string[] {
  return [JSON.stringify(value, null, 2)];
}

function print(lines: string[]): void {
  for (const line of lines) process.stdout.write(`${line}\n`);
}

function warn(texts: string[]): void {
  for (const text of texts) process.stderr.write(`term-run: ${text}\n`);
}

function describeScreen() {
  const { stdout } = process;
  return {
    columns: stdout.columns || PLAIN_COLUMNS,
    palette: createPalette(stdout.isTTY === true),
  };
}

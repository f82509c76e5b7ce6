import { type Command, Option } from "commander";
import { createPalette, createScreen } from "../report/index.js";
import type { FetchOptions } from "../task/index.js";
import { collect } from "./options.js";

export interface RegistryFlags {
  registry?: string[];
}

/** What a command takes as tasks. */
export const TASKS_HELP =
  "task folders, folders of tasks, dataset files, or NAME@VERSION of datasets";

const PLAIN_COLUMNS = 120;

export function addRegistryOption(command: Command): Command {
  return command.addOption(
    new Option(
      "--registry <place>",
      "where NAME@VERSION is looked up: a file, folder, git or https URL (repeatable; default: the public registries)",
    )
      .env("TERM_RUN_REGISTRY")
      .argParser(collect),
  );
}

/** Runs what may fetch datasets, and shows on stderr what is fetched. */
export async function withFetching<T>(
  { registry }: RegistryFlags,
  work: (options: FetchOptions) => Promise<T>,
): Promise<T> {
  const progress = openProgress();
  try {
    return await work({ registries: registry, onProgress: progress.show });
  } finally {
    progress.close();
  }
}

/** In a terminal, how far it is stands below and is redrawn; elsewhere each new line is printed. */
function openProgress(): { show(text: string, detail?: string): void; close(): void } {
  const { stderr } = process;
  const screen = stderr.isTTY
    ? createScreen(stderr, () => ({
        columns: stderr.columns || PLAIN_COLUMNS,
        rows: stderr.rows || 24,
      }))
    : null;
  const palette = createPalette(stderr.isTTY === true);
  let last = "";
  return {
    show(text, detail) {
      const lines = text === last ? [] : [`term-run: ${text}`];
      last = text;
      if (screen) screen.show(lines, detail ? [palette.dim(`  ${detail}`)] : []);
      else for (const line of lines) stderr.write(`${line}\n`);
    },
    close: () => screen?.show([], []),
  };
}

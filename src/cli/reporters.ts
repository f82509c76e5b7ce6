import { createWriteStream, mkdirSync } from "node:fs";
import { dirname, relative } from "node:path";
import { messageOf, TermRunError } from "../errors.js";
import type { StoredRun } from "../events/index.js";
import type { Reporter } from "../interfaces/index.js";
import {
  createConsoleReporter,
  createDocumentsReporter,
  createDocumentWriter,
  createGithubWriter,
  createJsonReporter,
  type DocumentWriter,
  fanOut,
  parseReporters,
  type ReporterChoice,
  replayRun,
  writeDocuments,
} from "../report/index.js";

export const REPORTER_HELP =
  "console, json, junit, markdown, html, github: a list; name=path chooses the file (repeatable)";

export interface ReporterFlags {
  reporter?: string[];
  json?: boolean;
  quiet?: boolean;
  verbose?: boolean;
}

interface OpenReporters {
  /** For a live run; documents are written when it is closed. */
  reporter: Reporter;
  /** A line for people, beside what the reporters print. */
  print(line: string): void;
  /** Shows a stored run instead. False when a report could not be written. */
  replay(run: StoredRun): Promise<boolean>;
}

/** Reporters for a live run: always with the console, unless JSON needs stdout. */
export function openReporters(flags: ReporterFlags): OpenReporters {
  const choices = readChoices(flags);
  if (!choices.some(isOnStdout)) choices.unshift({ name: "console", path: null });
  const onGithub = process.env.GITHUB_ACTIONS === "true";
  if (onGithub && !choices.some(({ name }) => name === "github"))
    choices.push({ name: "github", path: null });
  return open(choices, flags);
}

/** Replays a stored run through the reporters that are named, or else the console. */
export async function replayTo(run: StoredRun, flags: ReporterFlags): Promise<boolean> {
  const choices = readChoices(flags);
  if (choices.length === 0) choices.push({ name: "console", path: null });
  return open(choices, flags).replay(run);
}

/** The same with reporters that are already open. False when a report could not be written. */
export function replay(run: StoredRun, reporters: OpenReporters): Promise<boolean> {
  return reporters.replay(run);
}

function readChoices(flags: ReporterFlags): ReporterChoice[] {
  const choices = parseReporters(flags.reporter ?? []);
  const json = { name: "json", path: null };
  if (flags.json && !choices.some((choice) => isOnStdout(choice) && choice.name === "json"))
    choices.push(json);
  if (new Set(choices.filter(isOnStdout).map(({ name }) => name)).size > 1)
    throw new TermRunError("usage", "console and json can't both write to stdout", {
      hint: "Send the events to a file: --reporter console,json=events.jsonl",
    });
  return choices;
}

function isOnStdout({ name, path }: ReporterChoice): boolean {
  return name === "console" || (name === "json" && path === null);
}

function isLive({ name }: ReporterChoice): boolean {
  return name === "console" || name === "json";
}

function open(choices: readonly ReporterChoice[], flags: ReporterFlags): OpenReporters {
  const hasJson = choices.some((choice) => isOnStdout(choice) && choice.name === "json");
  const print = (line: string) => (hasJson ? process.stderr : process.stdout).write(`${line}\n`);
  let failed = false;
  const onFailure = (error: unknown) => {
    failed = true;
    process.stderr.write(`term-run: a report could not be written: ${explain(error)}\n`);
  };
  const live = choices.filter(isLive).map((choice) => createLive(choice, flags));
  const writers = choices
    .filter((choice) => !isLive(choice))
    .map((choice) => createWriter(choice, hasJson, print));
  return {
    reporter: fanOut([...live, createDocumentsReporter(writers, onFailure)], onFailure),
    print,
    async replay(run) {
      const all = fanOut(live, onFailure);
      if (live.length > 0) for await (const event of replayRun(run)) all.event(event);
      await all.close?.();
      await writeDocuments(run, writers, { onFailure });
      return !failed;
    },
  };
}

function createWriter(
  { name, path }: ReporterChoice,
  hasJson: boolean,
  print: (line: string) => void,
): DocumentWriter {
  const { stdout, env } = process;
  if (name !== "github")
    return createDocumentWriter(name, path, (file) => print(`wrote ${shortPath(file)}`));
  return createGithubWriter({
    output: hasJson ? null : stdout,
    summaryFile: env.GITHUB_STEP_SUMMARY,
  });
}

function createLive({ name, path }: ReporterChoice, flags: ReporterFlags): Reporter {
  const { stdout } = process;
  if (name === "json") return path === null ? createJsonReporter(stdout) : createJsonFile(path);
  const isTty = stdout.isTTY === true;
  return createConsoleReporter({
    stream: stdout,
    isTty,
    verbose: flags.verbose === true,
    quiet: flags.quiet === true,
    color: isTty,
  });
}

function createJsonFile(path: string): Reporter {
  mkdirSync(dirname(path), { recursive: true });
  const file = createWriteStream(path);
  let problem: Error | null = null;
  file.on("error", (error) => {
    problem = error;
  });
  const { event } = createJsonReporter(file);
  return {
    event,
    async close() {
      await new Promise<void>((resolve) => {
        if (problem) return resolve();
        file.once("error", () => resolve());
        file.end(() => resolve());
      });
      if (problem) throw problem;
    },
  };
}

function shortPath(file: string): string {
  const path = relative(process.cwd(), file);
  return path.startsWith("..") ? file : path;
}

// A full disk needs no stack trace, a bug does.
function explain(error: unknown): string {
  if (error instanceof TermRunError || (error as NodeJS.ErrnoException)?.code)
    return messageOf(error);
  return (error as Error)?.stack ?? String(error);
}

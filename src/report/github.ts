import { appendFile } from "node:fs/promises";
import { isScored } from "../events/outcomes.js";
import type { RunSummary, TaskSummary, TrialResult } from "../events/records.js";
import type { StoredRun } from "../events/run-folder.js";
import type { Reporter } from "../interfaces/index.js";

import { writeMarkdown } from "./markdown.js";
import type { Output } from "./output.js";
import { summaryOf } from "./replay.js";
import { createStoredReporter } from "./stored.js";
import { cleanLine } from "./text.js";

/** GitHub shows no more of each kind for one step. */
const MAX_ANNOTATIONS = 10;

interface GithubOptions {
  /** Where workflow commands are read from; null when stdout is for something else. */
  output: Output | null;
  /** $GITHUB_STEP_SUMMARY */
  summaryFile: string | undefined;
}

/** On GitHub: the Markdown on the job's page, and a mark for each task that did not pass. */
export function createGithubReporter({ output, summaryFile }: GithubOptions): Reporter {
  return createStoredReporter(async (run) => {
    for (const line of annotate(run)) output?.write(`${line}\n`);
    if (!summaryFile) return;
    let markdown = "";
    for await (const piece of writeMarkdown(run)) markdown += piece;
    await appendFile(summaryFile, `${markdown}\n`);
  });
}

function annotate(run: StoredRun): string[] {
  const summary = summaryOf(run);
  const lines = { error: [] as string[], warning: [] as string[] };
  for (const task of summary.tasks) {
    const own = run.results.filter((result) => result.task === task.task);
    const level = levelOf(task);
    if (level) lines[level].push(annotation(level, task.task, describeTask(task, own)));
  }
  return [...bound("error", lines.error), ...bound("warning", lines.warning), ...tell(summary)];
}

// No pass at all is an error; a mixed result, or none because of the machine, is a warning.
function levelOf(task: TaskSummary): "error" | "warning" | null {
  if (task.scored > 0 && task.passed === 0) return "error";
  return task.passed < task.scored || task.outcomes.infra_error ? "warning" : null;
}

function describeTask(task: TaskSummary, results: readonly TrialResult[]): string {
  const bad = results.find(({ outcome }) => outcome !== "passed" && isScored(outcome));
  const reason = bad ?? results.find(({ outcome }) => outcome === "infra_error");
  const why = reason?.error ? `${reason.outcome}: ${reason.error.message}` : reason?.outcome;
  return `${task.passed} of ${task.scored} scored trials passed; ${why ?? "no result"}`;
}

function bound(level: "error" | "warning", lines: string[]): string[] {
  if (lines.length <= MAX_ANNOTATIONS) return lines;
  const kept = lines.slice(0, MAX_ANNOTATIONS - 1);
  const rest = lines.length - kept.length;
  return [...kept, annotation(level, "more tasks", `${rest} more tasks did not pass`)];
}

function tell(summary: RunSummary): string[] {
  if (!summary.interrupted) return [];
  const { finished, planned } = summary.trials;
  return [annotation("warning", "interrupted", `${finished} of ${planned} trials finished`)];
}

function annotation(level: string, title: string, message: string): string {
  return `::${level} title=${escapeProperty(cleanLine(title))}::${escapeData(cleanLine(message))}`;
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

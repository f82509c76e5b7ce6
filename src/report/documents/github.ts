import { appendFile } from "node:fs/promises";
import { type TaskSummary, type TrialResult, traitsOf } from "../../events/index.js";
import { countTone } from "../outcome.js";
import type { Output } from "../output.js";
import { cleanLine } from "../text.js";
import type { DocumentRun, DocumentWriter } from "./document.js";
import { createMarkdown } from "./markdown.js";

/** GitHub shows at most this many of each level for one step. */
const MAX_ANNOTATIONS = 10;

interface GithubOptions {
  /** Where workflow commands are written; null when stdout is used for something else. */
  output: Output | null;
  /** $GITHUB_STEP_SUMMARY */
  summaryFile: string | undefined;
}

/** On GitHub: the Markdown on the job's page, and an annotation for each task that did not pass. */
export function createGithubWriter({ output, summaryFile }: GithubOptions): DocumentWriter {
  const markdown = createMarkdown();
  let annotations: string[] = [];
  let summary = "";
  return {
    async begin(run) {
      annotations = annotate(run);
      summary = markdown.begin(run);
    },
    async trial(trial, story) {
      summary += await markdown.trial(trial, story);
    },
    async end() {
      for (const line of annotations) output?.write(`${line}\n`);
      if (summaryFile) await appendFile(summaryFile, `${summary}${markdown.end()}\n`);
    },
    async abort() {},
  };
}

function annotate({ results, totals }: DocumentRun): string[] {
  const lines = { error: [] as string[], warning: [] as string[] };
  for (const task of totals.tasks) {
    const own = results.filter((result) => result.task === task.task);
    const level = levelOf(task);
    if (level) lines[level].push(annotation(level, task.task, describeTask(task, own)));
  }
  const { finished, planned } = totals.trials;
  return [
    ...bound("error", lines.error),
    ...bound("warning", lines.warning),
    ...(totals.interrupted
      ? [annotation("warning", "interrupted", `${finished} of ${planned} trials finished`)]
      : []),
  ];
}

// A task without a pass is an error; a mixed result or an infrastructure error is a warning.
function levelOf(task: TaskSummary): "error" | "warning" | null {
  if (task.scored > 0 && task.passed === 0) return "error";
  return task.passed < task.scored || countTone(task.outcomes, "broken") > 0 ? "warning" : null;
}

function describeTask(task: TaskSummary, results: readonly TrialResult[]): string {
  const find = (tone: string) => results.find(({ outcome }) => traitsOf(outcome).tone === tone);
  const reason = find("bad") ?? find("broken");
  const why = reason?.error ? `${reason.outcome}: ${reason.error.message}` : reason?.outcome;
  return `${task.passed} of ${task.scored} scored trials passed; ${why ?? "no result"}`;
}

function bound(level: "error" | "warning", lines: string[]): string[] {
  if (lines.length <= MAX_ANNOTATIONS) return lines;
  const kept = lines.slice(0, MAX_ANNOTATIONS - 1);
  const rest = lines.length - kept.length;
  return [...kept, annotation(level, "more tasks", `${rest} more tasks did not pass`)];
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

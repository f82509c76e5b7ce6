import { isScored } from "../events/outcomes.js";
import type { RunSummary, TaskSummary, TrialResult } from "../events/records.js";
import type { StoredRun } from "../events/run-folder.js";
import { readStory, type Story } from "../events/story.js";

import { buildColumns } from "./columns.js";
import { cutMiddle, lastLines, plainText } from "./document.js";
import { formatCount, formatDuration, formatNumber } from "./format.js";
import { createPalette } from "./palette.js";
import { createProgress } from "./progress.js";
import { summaryOf } from "./replay.js";
import { cleanLine } from "./text.js";
import { describeTotals } from "./totals.js";
import { cutToWidth } from "./width.js";

/** What a comment on a pull request may hold, with room to spare. */
const MAX_LENGTH = 60_000;
const MAX_TABLE = 25_000;
const MAX_LINE = 400;
/** Kept free for the line that says what was left out. */
const RESERVE = 200;
const VERIFIER_LINES = 20;
const VERIFIER_LENGTH = 3000;

/** Markdown for a pull request: totals, tasks, and why trials failed. */
export async function* writeMarkdown(run: StoredRun): AsyncGenerator<string> {
  const summary = summaryOf(run);
  const head = `${writeTotals(run, summary)}\n${writeTable(run, summary)}`;
  yield head;
  yield* writeFailures(run, MAX_LENGTH - head.length);
}

function writeTotals({ results }: StoredRun, summary: RunSummary): string {
  const progress = { ...createProgress(), results };
  const [rate = "", ...rest] = describeTotals(summary, progress, createPalette(false));
  const lines = rest.map((line) =>
    line.startsWith("  ") ? `  - ${text(line)}` : `- ${text(line)}`,
  );
  return [
    `## ${mark(summary)} ${code(summary.agent)}: ${text(rate)}`,
    "",
    `Run ${code(summary.run)}`,
    "",
    ...lines,
    "",
  ].join("\n");
}

function mark({ pass_rate, outcomes }: RunSummary): string {
  if (outcomes.infra_error > 0 || pass_rate.of === 0) return "⚠️";
  return pass_rate.passed === pass_rate.of ? "✅" : "❌";
}

function writeTable({ results }: StoredRun, summary: RunSummary): string {
  if (summary.tasks.length === 0) return "";
  const tasks = [...summary.tasks].sort((a, b) => rank(a) - rank(b));
  const columns = buildColumns(tasks, results, createPalette(false));
  const row = (cells: string[]) => `| ${cells.join(" | ")} |\n`;
  let table = row(columns.map(({ head }) => text(head)));
  table += row(columns.map(({ align }) => (align === "right" ? "---:" : "---")));
  for (const index of tasks.keys()) {
    const line = row(
      columns.map(({ cells }, column) =>
        column === 0 ? code(cells[index] ?? "") : text(cells[index] ?? ""),
      ),
    );
    if (table.length + line.length > MAX_TABLE)
      return `${table}\n… ${formatCount(tasks.length - index, "more task")}\n`;
    table += line;
  }
  return table;
}

// What needs a look comes first, and names stay in order within.
function rank(task: TaskSummary): number {
  if (task.passed < task.scored) return 0;
  return task.scored === 0 || task.outcomes.infra_error ? 1 : 2;
}

async function* writeFailures(run: StoredRun, room: number): AsyncGenerator<string> {
  const failed = run.results.filter(({ outcome }) => outcome !== "passed");
  // What says nothing about the agent comes last.
  const ranked = [...failed.filter(scored), ...failed.filter((result) => !scored(result))];
  if (ranked.length === 0) return;
  const title = "\n### Not passed\n\n";
  yield title;
  let left = room - title.length - RESERVE;
  for (const [index, result] of ranked.entries()) {
    const block = writeFailure(result, await readStory(run.dir, result.trial));
    if (block.length > left) {
      yield `… ${formatCount(ranked.length - index, "more trial")} did not pass\n`;
      return;
    }
    left -= block.length;
    yield block;
  }
}

function scored({ outcome }: TrialResult): boolean {
  return isScored(outcome);
}

function writeFailure(result: TrialResult, { verifier, steps }: Story): string {
  const facts = [
    formatCount(result.steps, "step"),
    formatDuration(result.durations.total_sec),
    ...(result.reward === null ? [] : [`reward ${formatNumber(result.reward)}`]),
  ];
  const parts: string[] = [];
  if (result.error) {
    parts.push(cutMiddle(plainText(result.error.message), VERIFIER_LENGTH));
    if (result.error.hint) parts.push(cutMiddle(plainText(result.error.hint), VERIFIER_LENGTH));
  }
  const command = steps.findLast((step) => step.command !== null)?.command;
  if (command) parts.push(`last command: $ ${cutMiddle(plainText(command), 500)}`);
  if (verifier?.error) parts.push(cutMiddle(plainText(verifier.error), VERIFIER_LENGTH));
  if (verifier && verifier.output.trim() !== "")
    parts.push(
      "the verifier's last lines:",
      lastLines(plainText(verifier.output), VERIFIER_LINES, VERIFIER_LENGTH),
    );
  const title = `${code(result.trial)} ${text(result.outcome)} (${facts.join(", ")})`;
  return `<details><summary>${title}</summary>\n\n${fence(parts.join("\n"))}\n</details>\n`;
}

/** A block that nothing inside can end. */
function fence(content: string): string {
  const runs = content.match(/`+/g) ?? [];
  const ticks = "`".repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
  return `${ticks}text\n${content}\n${ticks}\n`;
}

/** In code nobody is notified by a name, and nothing is linked. */
function code(content: string): string {
  return `<code>${text(content)}</code>`;
}

// As numbers, characters that mean something to Markdown or HTML mean nothing. A colon does in a
// link, an underscore outside of a word, and a name after an at sign would be notified.
function text(content: string): string {
  return cutToWidth(cleanLine(content), MAX_LINE)
    .replace(
      /[\\`*{}[\]#+!|<>&~$"']|:(?=\S)|(?<!\w)_|_(?!\w)/g,
      (character) => `&#${character.charCodeAt(0)};`,
    )
    .replace(/(?<!\w)@/g, "@\u200b");
}

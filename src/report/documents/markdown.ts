import { type RunSummary, type TaskSummary, traitsOf } from "../../events/index.js";
import { buildColumns } from "../columns.js";
import { nameDataset } from "../datasets.js";
import { formatCount } from "../format.js";
import { markdownHead, markdownRow } from "../markdown-table.js";
import { countTone, hasPassed } from "../outcome.js";
import { createPalette } from "../palette.js";
import { createProgress } from "../progress.js";
import { describeTotals } from "../totals.js";
import type { Document, DocumentRun } from "./document.js";
import { code, text, writeFailure } from "./markdown-text.js";

/** Safely below the maximum length of a comment on a pull request. */
const MAX_LENGTH = 60_000;
const MAX_TABLE = 25_000;
/** Kept free for the line that counts what was left out. */
const RESERVE = 200;
const TITLE = "\n### Not passed\n\n";

/** Markdown for a pull request: totals, tasks, and why trials failed. */
export function createMarkdown(): Document {
  let maxLength = 0;
  // Trials that say nothing about the agent come last.
  const scored = createBlocks();
  const unscored = createBlocks();
  return {
    begin(run) {
      const head = `${writeTotals(run)}\n${writeTable(run)}`;
      maxLength = MAX_LENGTH - head.length - TITLE.length - RESERVE;
      return head;
    },
    trial({ result }, story) {
      if (!result || hasPassed(result.outcome)) return "";
      const blocks = traitsOf(result.outcome).scored ? scored : unscored;
      blocks.add(() => writeFailure(result, story), maxLength);
      return "";
    },
    end() {
      const count = scored.count + unscored.count;
      if (count === 0) return "";
      const shown = createBlocks();
      // Stops at the first block that was left out, so that no later one takes its place.
      for (const block of scored.kept) shown.add(() => block, maxLength);
      if (scored.kept.length === scored.count)
        for (const block of unscored.kept) shown.add(() => block, maxLength);
      const rest = count - shown.kept.length;
      const more = rest > 0 ? `… ${formatCount(rest, "more trial")} did not pass\n` : "";
      return `${TITLE}${shown.kept.join("")}${more}`;
    },
  };
}

/** Keeps the first blocks that fit, and counts all. */
function createBlocks() {
  const kept: string[] = [];
  let count = 0;
  let length = 0;
  let full = false;
  return {
    kept,
    get count(): number {
      return count;
    },
    add(write: () => string, maxLength: number): void {
      count += 1;
      if (full) return;
      const block = write();
      full = length + block.length > maxLength;
      if (full) return;
      length += block.length;
      kept.push(block);
    },
  };
}

function writeTotals({ record, results, totals }: DocumentRun): string {
  const progress = { ...createProgress(), results };
  const [rate = "", ...rest] = describeTotals(totals, progress, createPalette(false));
  const lines = rest.map((line) =>
    line.startsWith("  ") ? `  - ${text(line)}` : `- ${text(line)}`,
  );
  return [
    `## ${chooseMark(totals)} ${code(totals.agent)}: ${text(rate)}`,
    "",
    `Run ${[totals.run, ...(record.datasets ?? []).map(nameDataset)].map(code).join(" on ")}`,
    "",
    ...lines,
    "",
  ].join("\n");
}

function chooseMark({ pass_rate, outcomes }: RunSummary): string {
  if (countTone(outcomes, "broken") > 0 || pass_rate.of === 0) return "⚠️";
  return pass_rate.passed === pass_rate.of ? "✅" : "❌";
}

function writeTable({ results, totals }: DocumentRun): string {
  if (totals.tasks.length === 0) return "";
  const tasks = [...totals.tasks].sort((a, b) => rank(a) - rank(b));
  const columns = buildColumns(tasks, results, createPalette(false));
  let table = `${markdownHead(columns).join("\n")}\n`;
  for (const index of tasks.keys()) {
    const cells = columns.map(({ cells }) => cells[index] ?? "");
    const line = `${markdownRow(cells.map((cell, at) => (at === 0 ? code(cell) : text(cell))))}\n`;
    if (table.length + line.length > MAX_TABLE)
      return `${table}\n… ${formatCount(tasks.length - index, "more task")}\n`;
    table += line;
  }
  return table;
}

// Failed tasks come first; within a rank, tasks stay in order of their names.
function rank(task: TaskSummary): number {
  if (task.passed < task.scored) return 0;
  return task.scored === 0 || countTone(task.outcomes, "broken") > 0 ? 1 : 2;
}

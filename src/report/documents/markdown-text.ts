import type { Story, TrialResult } from "../../events/index.js";
import { formatCount, formatDuration, formatNumber } from "../format.js";
import { escapeMarkdown } from "../markup.js";
import { cleanLine } from "../text.js";
import { cutToWidth } from "../width.js";
import { explainError, explainVerdict } from "./failure.js";
import { stepsOf } from "./parts.js";
import { cutMiddle, plainText } from "./text.js";

const MAX_LINE = 400;
const MAX_COMMAND = 500;
const VERIFIER_LIMITS = { lines: 20, length: 3000 };

/** A trial that did not pass: its numbers, and the reasons collapsed below them. */
export function writeFailure(result: TrialResult, story: Story): string {
  const facts = [
    formatCount(result.steps, "step"),
    formatDuration(result.durations.total_sec),
    ...(result.reward === null ? [] : [`reward ${formatNumber(result.reward)}`]),
  ];
  const command = stepsOf(story).findLast((step) => step.command !== null)?.command;
  const reasons = [
    ...explainError(result.error, VERIFIER_LIMITS),
    ...(command ? [`last command: $ ${cutMiddle(plainText(command), MAX_COMMAND)}`] : []),
    ...explainVerdict(story, VERIFIER_LIMITS),
  ];
  const title = `${code(result.trial)} ${text(result.outcome)} (${facts.join(", ")})`;
  return `<details><summary>${title}</summary>\n\n${fence(reasons.join("\n"))}\n</details>\n`;
}

/** A code block that nothing inside can close. */
function fence(content: string): string {
  const runs = content.match(/`+/g) ?? [];
  const ticks = "`".repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
  return `${ticks}text\n${content}\n${ticks}\n`;
}

/** Inside code nothing becomes a mention or a link. */
export function code(content: string): string {
  return `<code>${text(content)}</code>`;
}

/** One line without any Markdown or HTML in it. */
export function text(content: string): string {
  return escapeMarkdown(cutToWidth(cleanLine(content), MAX_LINE));
}

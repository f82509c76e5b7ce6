import { isScored } from "../events/outcomes.js";
import type { TrialResult } from "../events/records.js";
import type { StoredRun } from "../events/run-folder.js";
import { readStory, type Story } from "../events/story.js";

import { escapeMarkup, lastLines, plainText } from "./document.js";
import { formatNumber } from "./format.js";
import { summaryOf } from "./replay.js";
import { pairTrials } from "./stored.js";
import { writeTranscript } from "./transcript.js";

/** Readers refuse files that are too big: the transcripts share this. */
const TRANSCRIPTS_LENGTH = 20_000_000;
const MAX_TRANSCRIPT = 64_000;
const VERIFIER_LINES = 30;
const VERIFIER_LENGTH = 8000;

type Pair = ReturnType<typeof pairTrials>[number];

/** JUnit XML: a suite for each task, a case for each trial. */
export async function* writeJunit(run: StoredRun): AsyncGenerator<string> {
  const pairs = pairTrials(run);
  const summary = summaryOf(run);
  const room = Math.min(MAX_TRANSCRIPT, Math.floor(TRANSCRIPTS_LENGTH / (pairs.length || 1)));
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield `<testsuites${attributes({
    name: run.record.run,
    ...countCases(pairs),
    time: seconds(summary.duration_sec),
    timestamp: timestamp(run.record.started_at),
  })}>\n`;
  for (const [task, own] of groupByTask(pairs)) {
    yield `  <testsuite${attributes({
      name: task,
      ...countCases(own),
      time: seconds(own.reduce((sum, { result }) => sum + timeOf(result), 0)),
      timestamp: timestamp(startOf(own) ?? run.record.started_at),
    })}>\n`;
    yield writeProperties(run, own);
    for (const pair of own)
      yield writeCase(pair, await readStory(run.dir, pair.planned.trial), room);
    yield "  </testsuite>\n";
  }
  yield "</testsuites>\n";
}

function writeProperties({ record }: StoredRun, pairs: readonly Pair[]): string {
  const properties = {
    agent: record.agent.name,
    sandbox: record.sandbox,
    term_run: record.term_run,
    task_digest: pairs[0]?.planned.task_digest ?? "",
  };
  const lines = Object.entries(properties).map(
    ([name, value]) => `      <property${attributes({ name, value })}/>\n`,
  );
  return `    <properties>\n${lines.join("")}    </properties>\n`;
}

function writeCase({ planned, result }: Pair, story: Story, room: number): string {
  const head = `    <testcase${attributes({
    name: planned.trial,
    classname: planned.task,
    time: seconds(timeOf(result)),
  })}>\n`;
  const transcript = writeTranscript(story, room);
  const out =
    transcript === "" ? "" : `      <system-out>${escapeMarkup(transcript)}</system-out>\n`;
  return `${head}${writeVerdict(result, story)}${out}    </testcase>\n`;
}

function writeVerdict(result: TrialResult | null, story: Story): string {
  const kind = kindOf(result);
  if (kind === "passed") return "";
  const message = explain(result);
  if (kind === "skipped") return `      <skipped${attributes({ message })}/>\n`;
  const type = result?.outcome ?? "unfinished";
  return `      <${kind}${attributes({ message, type })}>${escapeMarkup(detail(result, story))}</${kind}>\n`;
}

function explain(result: TrialResult | null): string {
  if (!result) return "the trial never finished";
  if (result.error) return result.error.message;
  return result.reward === null ? result.outcome : `reward ${formatNumber(result.reward)}`;
}

function detail(result: TrialResult | null, { verifier }: Story): string {
  const parts: string[] = [];
  if (result?.error) parts.push(plainText(result.error.message));
  if (result?.error?.hint) parts.push(plainText(result.error.hint));
  if (verifier?.error) parts.push(plainText(verifier.error));
  if (verifier && verifier.output.trim() !== "")
    parts.push(
      "the verifier's last lines:",
      lastLines(plainText(verifier.output), VERIFIER_LINES, VERIFIER_LENGTH),
    );
  return parts.join("\n");
}

// Not the agent's fault is an error; what was never asked of it is skipped.
function kindOf(result: TrialResult | null): "passed" | "failure" | "error" | "skipped" {
  if (!result) return "skipped";
  if (result.outcome === "passed") return "passed";
  if (isScored(result.outcome)) return "failure";
  return result.outcome === "infra_error" ? "error" : "skipped";
}

function countCases(pairs: readonly Pair[]) {
  const count = (kind: string) => pairs.filter(({ result }) => kindOf(result) === kind).length;
  return {
    tests: pairs.length,
    failures: count("failure"),
    errors: count("error"),
    skipped: count("skipped"),
  };
}

function groupByTask(pairs: readonly Pair[]): Map<string, Pair[]> {
  const groups = new Map<string, Pair[]>();
  for (const pair of pairs) {
    const own = groups.get(pair.planned.task);
    if (own) own.push(pair);
    else groups.set(pair.planned.task, [pair]);
  }
  return groups;
}

function startOf(pairs: readonly Pair[]): string | undefined {
  return pairs.flatMap(({ result }) => (result ? [result.started_at] : [])).sort()[0];
}

function timeOf(result: TrialResult | null): number {
  return result?.durations.total_sec ?? 0;
}

function seconds(value: number): string {
  return value.toFixed(3);
}

// Strict readers want no fraction and no zone; it is UTC.
function timestamp(time: string): string {
  return time.slice(0, 19);
}

function attributes(values: Record<string, string | number>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeMarkup(plainText(String(value)))}"`)
    .join("");
}

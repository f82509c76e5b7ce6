import { type Story, type TrialResult, traitsOf } from "../../events/index.js";
import { formatNumber } from "../format.js";
import { outcomeOf } from "../outcome.js";
import { groupByTask } from "./arrange.js";
import type { Document, DocumentRun, DocumentTrial } from "./document.js";
import { explainError, explainVerdict } from "./failure.js";
import { escapeMarkup, plainText } from "./text.js";
import { writeTranscript } from "./transcript.js";

/** All transcripts together: parsers refuse files that are too big. */
const TRANSCRIPTS_LENGTH = 20_000_000;
const MAX_TRANSCRIPT = 64_000;
const VERIFIER_LIMITS = { lines: 30, length: 8000 };

/** JUnit XML: a suite for each task, a case for each trial. */
export function createJunit(): Document {
  let suites = new Map<string, string>();
  let open: string | null = null;
  let maxLength = 0;
  return {
    begin(run) {
      suites = writeSuites(run);
      maxLength = Math.min(
        MAX_TRANSCRIPT,
        Math.floor(TRANSCRIPTS_LENGTH / (run.trials.length || 1)),
      );
      const head = attributes({
        name: run.record.run,
        ...countCases(run.trials),
        time: seconds(run.totals.duration_sec),
        timestamp: timestamp(run.record.started_at),
      });
      return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${head}>\n`;
    },
    trial(trial, story) {
      const { task } = trial.planned;
      const start = task === open ? "" : `${endSuite(open)}${suites.get(task) ?? ""}`;
      open = task;
      return `${start}${writeCase(trial, story, maxLength)}`;
    },
    end: () => `${endSuite(open)}</testsuites>\n`,
  };
}

/** How the suite of each task starts: its counts come before its cases. */
function writeSuites(run: DocumentRun): Map<string, string> {
  const tasks = [...groupByTask(run.trials)];
  return new Map(tasks.map(([task, trials]) => [task, startSuite(run, task, trials)]));
}

function startSuite(run: DocumentRun, task: string, trials: readonly DocumentTrial[]): string {
  const { record } = run;
  const starts = trials.flatMap(({ result }) => (result ? [result.started_at] : [])).sort();
  const suite = attributes({
    name: task,
    ...countCases(trials),
    time: seconds(trials.reduce((sum, { result }) => sum + timeOf(result), 0)),
    timestamp: timestamp(starts[0] ?? record.started_at),
  });
  const properties = {
    agent: record.agent.name,
    sandbox: record.sandbox,
    term_run: record.term_run,
    task_digest: trials[0]?.planned.task_digest ?? "",
  };
  const lines = Object.entries(properties).map(
    ([name, value]) => `      <property${attributes({ name, value })}/>\n`,
  );
  return `  <testsuite${suite}>\n    <properties>\n${lines.join("")}    </properties>\n`;
}

function endSuite(task: string | null): string {
  return task === null ? "" : "  </testsuite>\n";
}

function writeCase({ planned, result }: DocumentTrial, story: Story, maxLength: number): string {
  const head = `    <testcase${attributes({
    name: planned.trial,
    classname: planned.task,
    time: seconds(timeOf(result)),
  })}>\n`;
  const transcript = writeTranscript(story, maxLength);
  const out =
    transcript === "" ? "" : `      <system-out>${escapeMarkup(transcript)}</system-out>\n`;
  return `${head}${writeVerdict(result, story)}${out}    </testcase>\n`;
}

function writeVerdict(result: TrialResult | null, story: Story): string {
  const type = outcomeOf(result);
  const kind = traitsOf(type).junit;
  if (kind === "passed") return "";
  const message = explain(result);
  if (kind === "skipped") return `      <skipped${attributes({ message })}/>\n`;
  const reasons = [
    ...explainError(result?.error ?? null, VERIFIER_LIMITS),
    ...explainVerdict(story, VERIFIER_LIMITS),
  ];
  const detail = reasons.join("\n");
  return `      <${kind}${attributes({ message, type })}>${escapeMarkup(detail)}</${kind}>\n`;
}

function explain(result: TrialResult | null): string {
  if (!result) return "the trial never finished";
  if (result.error) return result.error.message;
  return result.reward === null ? result.outcome : `reward ${formatNumber(result.reward)}`;
}

function countCases(trials: readonly DocumentTrial[]) {
  const kinds = trials.map(({ result }) => traitsOf(outcomeOf(result)).junit);
  const count = (kind: string) => kinds.filter((own) => own === kind).length;
  return {
    tests: trials.length,
    failures: count("failure"),
    errors: count("error"),
    skipped: count("skipped"),
  };
}

function timeOf(result: TrialResult | null): number {
  return result?.durations.total_sec ?? 0;
}

function seconds(value: number): string {
  return value.toFixed(3);
}

// Strict parsers accept neither a fraction nor a time zone; it is UTC.
function timestamp(time: string): string {
  return time.slice(0, 19);
}

function attributes(values: Record<string, string | number>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeMarkup(plainText(String(value)))}"`)
    .join("");
}

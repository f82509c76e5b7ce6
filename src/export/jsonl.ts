import { FORMAT_VERSION, type StoredRun, type Story } from "../events/index.js";
import { type DocumentTrial, outcomeOf } from "../report/index.js";

/** A trial as one line: its result, its parts and all their steps, for a data frame or a script. */
export function toJsonLine(
  { record }: StoredRun,
  { planned, result }: DocumentTrial,
  story: Story,
): string {
  const line = {
    format_version: FORMAT_VERSION,
    run: record.run,
    agent: record.agent.name,
    trial: planned.trial,
    task: planned.task,
    attempt: planned.attempt,
    outcome: outcomeOf(result),
    reward: result?.reward ?? null,
    usage: result?.usage ?? null,
    durations: result?.durations ?? null,
    error: result?.error ?? null,
    parts: story.parts.map(({ steps: _, ...part }) => part),
    steps: story.parts.flatMap(({ number, steps }) =>
      steps.map((step) => ({ part: number, ...step })),
    ),
  };
  return `${JSON.stringify(line)}\n`;
}

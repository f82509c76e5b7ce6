import { FORMAT_VERSION, type TrialResult } from "../events/records.js";
import type { StoredRun } from "../events/run-folder.js";
import type { Story } from "../events/story.js";

/** A trial as one line: its result and its steps, for a data frame or a script. */
export function toJsonLine(run: StoredRun, story: Story, result: TrialResult | null): string {
  const { trial, instruction, steps, verifier } = story;
  const line = {
    format_version: FORMAT_VERSION,
    run: run.record.run,
    agent: run.record.agent.name,
    trial,
    task: result?.task ?? null,
    attempt: result?.attempt ?? null,
    outcome: result?.outcome ?? "unfinished",
    reward: result?.reward ?? null,
    usage: result?.usage ?? null,
    durations: result?.durations ?? null,
    error: result?.error ?? null,
    instruction,
    steps,
    verifier,
  };
  return `${JSON.stringify(line)}\n`;
}

import { expect, test } from "vitest";
import { readStory } from "../../src/events/read-story.js";
import { readRun } from "../../src/events/run-folder.js";
import { toAtif } from "../../src/export/atif.js";
import { arrangeRun } from "../../src/report/documents/arrange.js";
import type { DocumentTrial } from "../../src/report/documents/document.js";
import { makeFolder, type StoredTrial, writeRun } from "../support/stored-run.js";
import { checkAtif } from "./atif-rules.js";

async function convert(trial: StoredTrial) {
  const stored = { instruction: "Write ok.", ...trial };
  const run = arrangeRun(await readRun(writeRun(makeFolder(), [stored])));
  const [own] = run.trials as [DocumentTrial];
  const document = toAtif(run, own, await readStory(run.dir, own.planned.trial));
  return JSON.parse(JSON.stringify(document));
}

test("a trial becomes a document with a step for each response", async () => {
  const document = await convert({
    task: "a",
    steps: [
      { text: "look", command: "ls", output: "x\ny", exit_code: 0, cost_usd: 0.25 },
      { complete: true, cost_usd: 0.5 },
    ],
  });
  expect(checkAtif(document)).toEqual([]);
  expect(document).toMatchObject({
    schema_version: "ATIF-v1.7",
    session_id: "demo",
    trajectory_id: "a.1",
    agent: { name: "my-agent", model_name: "model-x" },
    steps: [
      { step_id: 1, source: "user", message: "Write ok." },
      {
        step_id: 2,
        source: "agent",
        message: "look",
        tool_calls: [{ function_name: "shell", arguments: { command: "ls" } }],
        observation: { results: [{ content: "x\ny", extra: { exit_code: 0 } }] },
        metrics: { prompt_tokens: 100, completion_tokens: 10, cost_usd: 0.25 },
      },
      { step_id: 3, source: "agent", message: "", extra: { task_complete: true } },
    ],
    final_metrics: { total_prompt_tokens: 200, total_cost_usd: 0.75, total_steps: 3 },
    extra: { task: "a", outcome: "passed", reward: 1 },
  });
});

test("steps of all parts are numbered consecutively, each part after its instruction", async () => {
  const document = await convert({
    task: "a",
    parts: [
      { name: "one", instruction: "First.", steps: [{ command: "ls" }, { complete: true }] },
      { name: "two", instruction: "Second.", steps: [{ command: "rm x", refused: "not here" }] },
    ],
  });
  expect(checkAtif(document)).toEqual([]);
  expect(document.steps).toMatchObject([
    { step_id: 1, source: "user", message: "First.", extra: { part: "one", number: 1, of: 2 } },
    { step_id: 2, source: "agent", tool_calls: [{ tool_call_id: "call-2" }] },
    { step_id: 3, source: "agent", extra: { task_complete: true } },
    { step_id: 4, source: "user", message: "Second." },
    {
      step_id: 5,
      source: "agent",
      observation: { results: [{ source_call_id: "call-5", content: "refused: not here" }] },
    },
  ]);
  expect(document.notes).toBeUndefined();
});

test.each<[string, StoredTrial]>([
  ["no steps", { task: "a", outcome: "skipped", steps: [] }],
  ["invalid responses", { task: "a", steps: [{ invalid: "no JSON", command: "ls" }] }],
  ["no end", { task: "a", unfinished: true }],
  ["no usage", { task: "a", steps: [{ command: "ls" }] }],
])("a trial with %s is valid too", async (_, trial) => {
  expect(checkAtif(await convert(trial))).toEqual([]);
});

test("the check itself finds what is wrong", async () => {
  const document = await convert({ task: "a", steps: [{ command: "ls" }] });
  document.steps[0].tool_calls = [];
  document.steps[1].step_id = 7;
  document.steps[1].observation.results[0].source_call_id = "other";
  expect(checkAtif(document)).toEqual([
    "user step has tool_calls",
    "step 2 has the id 7",
    "no call other in its step",
  ]);
  document.more = 1;
  expect(checkAtif(document)).toEqual(["trajectory.more is unknown"]);
});

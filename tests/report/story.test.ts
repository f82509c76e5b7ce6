import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readStory } from "../../src/events/read-story.js";
import { makeFolder, writeRun } from "../support/stored-run.js";

/** A log on disk, whichever version wrote it. */
function writeLog(events: object[]): string {
  const dir = makeFolder();
  mkdirSync(join(dir, "trials/a.1"), { recursive: true });
  const lines = events.map((event) => `${JSON.stringify({ time: "T", trial: "a.1", ...event })}\n`);
  writeFileSync(join(dir, "trials/a.1/events.jsonl"), lines.join(""));
  return dir;
}

test("an ordinary task has one part without a name", async () => {
  const dir = writeRun(makeFolder(), [{ task: "a", instruction: "Do a." }]);
  const { parts } = await readStory(dir, "a.1");
  expect(parts).toMatchObject([
    { name: null, number: 1, of: 1, instruction: "Do a.", steps: [{ step: 1 }] },
  ]);
  expect(parts[0]?.agent_command).toEqual(["my-agent"]);
});

test("every part keeps its own steps, end and verdict", async () => {
  const dir = writeRun(makeFolder(), [
    {
      task: "a",
      outcome: "failed",
      parts: [
        { name: "one", instruction: "First.", steps: [{ command: "ls" }, { command: "pwd" }] },
        { name: "two", instruction: "Second.", steps: [{ command: "id" }], verifier: "no" },
      ],
    },
  ]);
  const { parts } = await readStory(dir, "a.1");
  expect(parts.map(({ name, number, of }) => [name, number, of])).toEqual([
    ["one", 1, 2],
    ["two", 2, 2],
  ]);
  expect(parts.map(({ instruction }) => instruction)).toEqual(["First.", "Second."]);
  expect(parts.map(({ steps }) => steps.map(({ command }) => command))).toEqual([
    ["ls", "pwd"],
    ["id"],
  ]);
  expect(parts.map(({ end }) => end?.end)).toEqual(["completed", "completed"]);
  expect(parts.map(({ verifier }) => verifier?.reward)).toEqual([1, 0]);
});

test("a log of a version that recorded no instruction can still be read", async () => {
  const dir = writeLog([
    { type: "trial_started", task: "a" },
    { type: "part_started", part: "one", number: 1, of: 2 },
    { type: "step_started", step: 1, cwd: "/", error: null },
    { type: "part_started", part: "two", number: 2, of: 2 },
    { type: "agent_stderr", text: "hello" },
  ]);
  const { parts } = await readStory(dir, "a.1");
  expect(parts).toMatchObject([
    { name: "one", instruction: null, steps: [{ step: 1 }] },
    { name: "two", instruction: null, stderr: ["hello"], steps: [] },
  ]);
});

test("a command that was refused did not run", async () => {
  const dir = writeLog([
    { type: "trial_started", task: "a", instruction: "x" },
    { type: "step_started", step: 1, cwd: "/", error: null },
    { type: "command_refused", step: 1, command: "rm -rf /", reason: "no" },
  ]);
  const [part] = (await readStory(dir, "a.1")).parts;
  expect(part?.steps).toMatchObject([{ command: "rm -rf /", refused: "no", ran: null }]);
});

test("stderr is bounded over all parts, and what is left out is counted", async () => {
  const lines = Array.from({ length: 1500 }, () => ({ type: "agent_stderr", text: "x" }));
  const dir = writeLog([
    { type: "part_started", part: "one", number: 1, of: 2 },
    ...lines,
    { type: "part_started", part: "two", number: 2, of: 2 },
    ...lines,
  ]);
  const story = await readStory(dir, "a.1");
  expect(story.parts.map(({ stderr }) => stderr.length)).toEqual([1500, 500]);
  expect(story.stderr_left_out).toBe(1000);
});

test("without a log the story is empty", async () => {
  const story = await readStory(makeFolder(), "a.1");
  expect(story).toMatchObject({ started_at: null, parts: [{ instruction: null, steps: [] }] });
});

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { traitsOf } from "../../src/events/outcomes.js";
import { readStory } from "../../src/events/read-story.js";
import { readEvents, type StoredRun } from "../../src/events/run-folder.js";
import type { Story } from "../../src/events/story.js";
import type { Event } from "../../src/events/types.js";
import { exportRun } from "../../src/export/write.js";
import { createJunit } from "../../src/report/documents/junit.js";
import { createMarkdown } from "../../src/report/documents/markdown.js";
import { createHtml } from "../../src/report/html/write.js";
import { outcomeOf } from "../../src/report/outcome.js";
import { checkAtif } from "../export/atif-rules.js";
import { RECORDINGS_BY_NAME, record } from "../support/recordings.js";
import { makeFolder, writeRun } from "../support/stored-run.js";
import { render } from "./documents.js";

// Runs recorded by the runner itself: they prove that the logs have what reports rely on.
const runs = new Map<string, Awaited<ReturnType<typeof record>>>();

beforeAll(async () => {
  for (const name of RECORDINGS_BY_NAME) runs.set(name, await record(name));
});
afterAll(() => {
  for (const { remove } of runs.values()) remove();
});

function open(name: (typeof RECORDINGS_BY_NAME)[number]): StoredRun {
  return (runs.get(name) as Awaited<ReturnType<typeof record>>).run;
}

async function readStories(run: StoredRun): Promise<Story[]> {
  return Promise.all(run.record.trials.map(({ trial }) => readStory(run.dir, trial)));
}

async function readAll(run: StoredRun): Promise<Event[]> {
  const trials = readdirSync(join(run.dir, "trials")).map((name) => join("trials", name));
  const events: Event[] = [];
  for (const folder of [".", ...trials])
    for await (const event of readEvents(join(run.dir, folder, "events.jsonl"))) events.push(event);
  return events;
}

test("every outcome that an agent can cause was recorded", () => {
  const outcomes = open("outcomes").results.map(({ task, outcome }) => [task, outcome]);
  expect(Object.fromEntries(outcomes)).toEqual({
    passes: "passed",
    fails: "failed",
    garbled: "passed",
    crashes: "agent_crashed",
    idles: "idle",
    invalid: "invalid_output",
    endless: "max_steps",
    slow: "agent_timeout",
    unrewarded: "verifier_error",
    unsupported: "skipped",
  });
});

describe.each(RECORDINGS_BY_NAME)("the recording %s", (name) => {
  test("has the instruction of every part that an agent worked on", async () => {
    const parts = (await readStories(open(name))).flatMap((story) => story.parts);
    const worked = parts.filter(({ steps }) => steps.length > 0);
    expect(worked.length).toBeGreaterThan(0);
    for (const { instruction } of worked) expect(instruction?.trim()).toBeTruthy();
  });

  test("has as many steps as the results say", async () => {
    const run = open(name);
    const stories = new Map((await readStories(run)).map((story) => [story.trial, story]));
    const counts = run.results.map(({ trial, steps }) => [
      steps,
      stories.get(trial)?.parts.reduce((sum, part) => sum + part.steps.length, 0),
    ]);
    expect(counts.map(([, logged]) => logged)).toEqual(counts.map(([steps]) => steps));
  });

  test("is reported: every trial in JUnit, every failure in Markdown", async () => {
    const run = open(name);
    const junit = await render(run, createJunit());
    const markdown = await render(run, createMarkdown());
    expect(junit.match(/<testcase /g)).toHaveLength(run.record.trials.length);
    const failed = run.results.filter((result) => traitsOf(outcomeOf(result)).tone !== "good");
    expect(markdown.match(/<details>/g) ?? []).toHaveLength(failed.length);
  });

  test("is exported as valid trajectories", async () => {
    const dir = mkdtempSync(join(tmpdir(), "export-"));
    try {
      const files = await exportRun(open(name), "atif", dir);
      expect(files.length).toBeGreaterThan(0);
      for (const file of files)
        expect(checkAtif(JSON.parse(readFileSync(file, "utf8")))).toEqual([]);
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });
});

test("every part has its own steps and verdict", async () => {
  const [story] = await readStories(open("parts"));
  expect(story?.parts.map(({ name }) => name)).toEqual(["one", "two"]);
  for (const part of story?.parts ?? []) {
    expect(part.steps[0]?.step).toBe(1);
    expect(part.verifier).not.toBeNull();
  }
});

test("a resumed run keeps what was finished, and finishes the rest", async () => {
  const run = open("resumed");
  expect(run.results.map(({ task, outcome }) => [task, outcome])).toEqual([
    ["passes", "passed"],
    ["fails", "failed"],
  ]);
  const types = (await readAll(run)).map(({ type }) => type);
  expect(types.filter((type) => type === "trial_kept")).toHaveLength(1);
});

test("what an agent prints stays text on the page", async () => {
  const page = await render(open("hostile"), createHtml());
  expect(page).not.toContain("<script>alert(1)");
  expect(page).not.toContain("<img src=x");
});

test("the fixtures of other tests have the same fields as recorded logs", async () => {
  const recorded = new Map<string, string>();
  for (const name of RECORDINGS_BY_NAME)
    for (const event of await readAll(open(name)))
      recorded.set(event.type, Object.keys(event).sort().join());
  const step = { command: "ls", stderr: ["warning"], invalid: "not JSON", complete: true };
  const [passed, skipped] = [
    { task: "a", steps: [step] },
    { task: "c", outcome: "skipped" as const },
  ];
  const inParts = { task: "b", parts: [{ name: "one", steps: [step] }, { name: "two" }] };
  const dir = writeRun(makeFolder(), [passed, inParts, skipped]);
  const made = await readAll({ ...open("parts"), dir });
  expect(new Set(made.map(({ type }) => type)).size).toBeGreaterThan(11);
  for (const event of made)
    expect([event.type, Object.keys(event).sort().join()]).toEqual([
      event.type,
      recorded.get(event.type),
    ]);
});

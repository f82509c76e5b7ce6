import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { traitsOf } from "../../src/events/outcomes.js";
import { readStory } from "../../src/events/read-story.js";
import { readRun, type StoredRun } from "../../src/events/run-folder.js";
import type { Story } from "../../src/events/story.js";
import { exportRun } from "../../src/export/write.js";
import { createJunit } from "../../src/report/documents/junit.js";
import { createMarkdown } from "../../src/report/documents/markdown.js";
import { outcomeOf } from "../../src/report/outcome.js";
import { checkAtif } from "../export/atif-rules.js";
import { lacksRecording, openRecording } from "../support/recordings.js";
import { render } from "./documents.js";

// Runs recorded by the runner itself: they prove that the logs have what reports rely on.
const NAMES = ["outcomes", "parts", "resumed", "hostile"];

async function readStories(run: StoredRun): Promise<Story[]> {
  return Promise.all(run.record.trials.map(({ trial }) => readStory(run.dir, trial)));
}

describe.each(NAMES)("the recording %s", (name) => {
  const lacks = lacksRecording(name);

  test.skipIf(lacks)("has the instruction of every part that an agent worked on", async () => {
    const run = await readRun(openRecording(name));
    const parts = (await readStories(run)).flatMap((story) => story.parts);
    const worked = parts.filter(({ steps }) => steps.length > 0);
    expect(worked.length).toBeGreaterThan(0);
    for (const { instruction } of worked) expect(instruction?.trim()).toBeTruthy();
  });

  test.skipIf(lacks)("has as many steps as the results say", async () => {
    const run = await readRun(openRecording(name));
    const stories = new Map((await readStories(run)).map((story) => [story.trial, story]));
    const counts = run.results.map(({ trial, steps }) => [
      steps,
      stories.get(trial)?.parts.reduce((sum, part) => sum + part.steps.length, 0),
    ]);
    expect(counts.map(([, logged]) => logged)).toEqual(counts.map(([steps]) => steps));
  });

  test.skipIf(lacks)("is reported: every trial in JUnit, every failure in Markdown", async () => {
    const run = await readRun(openRecording(name));
    const junit = await render(run, createJunit());
    const markdown = await render(run, createMarkdown());
    expect(junit.match(/<testcase /g)).toHaveLength(run.record.trials.length);
    const failed = run.results.filter((result) => traitsOf(outcomeOf(result)).tone !== "good");
    expect(markdown.match(/<details>/g) ?? []).toHaveLength(failed.length);
  });

  test.skipIf(lacks)("is exported as valid trajectories", async () => {
    const run = await readRun(openRecording(name));
    const files = await exportRun(run, "atif", join(run.dir, "out"));
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) expect(checkAtif(JSON.parse(readFileSync(file, "utf8")))).toEqual([]);
  });
});

test.skipIf(lacksRecording("parts"))("every part has its own steps and verdict", async () => {
  const run = await readRun(openRecording("parts"));
  const [story] = await readStories(run);
  expect(story?.parts.length).toBeGreaterThan(1);
  for (const part of story?.parts ?? []) {
    expect(part.name).not.toBeNull();
    expect(part.steps[0]?.step).toBe(1);
    expect(part.verifier).not.toBeNull();
  }
});

import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { readRun } from "../../src/events/run-folder.js";
import { exportRun } from "../../src/export/write.js";
import { makeFolder, writeRun } from "../support/stored-run.js";

const trials = [{ task: "a" }, { task: "b/c", outcome: "failed" as const }];

test("a file for each trial", async () => {
  const run = await readRun(writeRun(makeFolder(), trials));
  const out = join(run.dir, "out");
  const files = await exportRun(run, "atif", out);
  expect(files.map((file) => basename(file))).toEqual([
    "a.1.trajectory.json",
    "b__c.1.trajectory.json",
  ]);
  expect(readdirSync(out)).toHaveLength(2);
});

test("a line for each trial", async () => {
  const run = await readRun(writeRun(makeFolder(), trials));
  const [file] = await exportRun(run, "jsonl", run.dir);
  const lines = readFileSync(file as string, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.map(({ trial, outcome, steps }) => [trial, outcome, steps.length])).toEqual([
    ["a.1", "passed", 1],
    ["b__c.1", "failed", 1],
  ]);
});

test("a line has the parts with their instructions, and the steps of all of them", async () => {
  const parts = [
    { name: "one", instruction: "First.", steps: [{ command: "ls" }, { command: "pwd" }] },
    { name: "two", instruction: "Second.", steps: [{ command: "id" }] },
  ];
  const run = await readRun(writeRun(makeFolder(), [{ task: "a", parts }]));
  const [file] = await exportRun(run, "jsonl", run.dir);
  const line = JSON.parse(readFileSync(file as string, "utf8"));
  expect(line).toMatchObject({
    task: "a",
    attempt: 1,
    parts: [
      { name: "one", number: 1, of: 2, instruction: "First.", verifier: { reward: 1 } },
      { name: "two", number: 2, of: 2, instruction: "Second.", verifier: { reward: 1 } },
    ],
    steps: [
      { part: 1, step: 1, command: "ls" },
      { part: 1, step: 2, command: "pwd" },
      { part: 2, step: 1, command: "id" },
    ],
  });
});

test("a folder that can't be written is an error", async () => {
  const run = await readRun(writeRun(makeFolder(), trials));
  await expect(exportRun(run, "atif", join(run.dir, "run.json"))).rejects.toThrow("ENOTDIR");
});

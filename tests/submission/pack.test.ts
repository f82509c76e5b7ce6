import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packSubmission } from "../../src/submission/pack.js";
import { readSubmittedRuns } from "../../src/submission/submitted.js";
import { makeTasks, writeStoredRun } from "../support/stored-run.js";
import { makeFolder, VERSION } from "./sealed.js";

test("configuration, results and logs, each with its hash", async () => {
  const dir = makeFolder();
  const run = writeStoredRun(join(dir, "run"), { tasks: makeTasks(2) });
  writeFileSync(join(run, "trials/task-01.1/agent.stderr.log"), "private");
  mkdirSync(join(run, "trials/elsewhere.1"));
  writeFileSync(join(run, "trials/elsewhere.1/result.json"), "{}");
  const manifest = await packSubmission(run, join(dir, "out"), VERSION);
  expect(JSON.parse(readFileSync(join(dir, "out/manifest.json"), "utf8"))).toEqual(manifest);
  expect(manifest).toMatchObject({
    format_version: 1,
    submitted_at: "2030-02-01T00:00:00.000Z",
    run: "run",
    agent: { name: "my-agent", spec: "./my-agent" },
    tasks: [
      { task: "task-01", task_digest: "digest-of-task-01" },
      { task: "task-02", task_digest: "digest-of-task-02" },
    ],
  });
  expect(Object.keys(manifest.files)).toEqual([
    "run.json",
    "summary.json",
    "events.jsonl",
    "trials/task-01.1/result.json",
    "trials/task-01.1/events.jsonl",
    "trials/task-02.1/result.json",
    "trials/task-02.1/events.jsonl",
  ]);
  for (const [file, { sha256 }] of Object.entries(manifest.files)) {
    const bytes = readFileSync(join(dir, "out", file));
    expect(sha256, file).toBe(createHash("sha256").update(bytes).digest("hex"));
  }
});

test("earlier tries are included: they are part of the evidence", async () => {
  const dir = makeFolder();
  const run = writeStoredRun(join(dir, "run"), { tasks: makeTasks(1) });
  mkdirSync(join(run, "trials/task-01.1.try1"));
  writeFileSync(join(run, "trials/task-01.1.try1/events.jsonl"), "");
  const manifest = await packSubmission(run, join(dir, "out"), VERSION);
  expect(Object.keys(manifest.files)).toContain("trials/task-01.1.try1/events.jsonl");
});

test("an unfinished run is refused", async () => {
  const dir = makeFolder();
  const run = writeStoredRun(join(dir, "run"), { tasks: makeTasks(3) });
  rmSync(join(run, "trials/task-02.1/result.json"));
  await expect(packSubmission(run, join(dir, "out"), VERSION)).rejects.toThrow(
    "is not a finished run: 1 trial is missing",
  );
  expect(existsSync(join(dir, "out"))).toBe(false);
});

test("a shard is refused: it is only a part of a run", async () => {
  const dir = makeFolder();
  const run = writeStoredRun(join(dir, "run"), { tasks: makeTasks(1) });
  const file = join(run, "run.json");
  const record = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify({ ...record, shard: { number: 1, of: 4, trials: 8 } }));
  await expect(packSubmission(run, join(dir, "out"), VERSION)).rejects.toThrow("shard 1 of 4");
});

test("a folder that is not empty is refused", async () => {
  const dir = makeFolder();
  const run = writeStoredRun(join(dir, "run"), { tasks: makeTasks(1) });
  const before = readdirSync(run, { recursive: true });
  await expect(packSubmission(run, run, VERSION)).rejects.toThrow("is not empty");
  expect(readdirSync(run, { recursive: true })).toEqual(before);
});

test("the time of a submission counts, else that of the run", async () => {
  const dir = makeFolder();
  const run = writeStoredRun(join(dir, "runs/a"), { tasks: makeTasks(1) });
  await packSubmission(run, join(dir, "runs/deeper/b"), VERSION);
  const runs = await readSubmittedRuns([dir, join(dir, "runs")]);
  expect(runs.map(({ submittedAt }) => submittedAt)).toEqual([
    "2030-01-01T00:00:00.000Z",
    "2030-02-01T00:00:00.000Z",
  ]);
});

test("a folder without runs is an error", async () => {
  await expect(readSubmittedRuns([makeFolder()])).rejects.toThrow("there is no run in");
});

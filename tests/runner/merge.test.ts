import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RunRecord } from "../../src/events/records.js";
import { readRun } from "../../src/events/run-folder.js";
import { mergeRuns } from "../../src/runner/merge.js";
import { makeFolder, type StoredTrial, writeRun } from "../report/stored-run.js";

interface Part {
  name: string;
  trials: StoredTrial[];
  record?: Partial<RunRecord>;
}

async function merge(parts: Part[]) {
  const folder = makeFolder();
  const runs = [];
  for (const { name, trials, record } of parts)
    runs.push(
      await readRun(writeRun(join(folder, name), trials, { run: name, record: record ?? {} })),
    );
  const out = join(folder, "whole");
  const merged = await mergeRuns(runs, out);
  const words = (texts: string[]) => texts.map((text) => text.replaceAll(`${folder}/`, ""));
  return {
    ...merged,
    duplicates: words(merged.duplicates),
    gaps: words(merged.gaps),
    run: await readRun(out),
    out,
  };
}

const shard = (number: number, of: number) => ({ shard: { number, of, trials: 3 } });

test("shards become one run, as if it had never been split", async () => {
  const { run, summary, duplicates, gaps, out } = await merge([
    { name: "one", trials: [{ task: "b" }, { task: "a", attempt: 2 }], record: shard(1, 2) },
    {
      name: "two",
      trials: [
        { task: "a", outcome: "failed" },
        { task: "b", attempt: 2 },
      ],
      record: shard(2, 2),
    },
  ]);
  expect([duplicates, gaps]).toEqual([[], []]);
  expect(run.record.trials.map(({ trial }) => trial)).toEqual(["a.1", "b.1", "a.2", "b.2"]);
  expect(run.results.map(({ outcome }) => outcome)).toEqual([
    "failed",
    "passed",
    "passed",
    "passed",
  ]);
  expect(run.record).toMatchObject({ run: "whole", merged_from: ["one", "two"] });
  expect(run.record).not.toHaveProperty("shard");
  expect(run.record.tasks.map(({ task }) => task)).toEqual(["a", "b"]);
  expect(run.summary).toEqual(summary);
  expect(summary.pass_rate).toMatchObject({ passed: 3, of: 4 });
  expect(summary.trials).toEqual({ planned: 4, finished: 4, scored: 4 });
  const types = readFileSync(join(out, "events.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).type);
  expect(types).toEqual(["run_started", "run_finished"]);
});

test("a duplicate is reported; the first final result counts, not the best", async () => {
  const { run, duplicates } = await merge([
    {
      name: "one",
      trials: [
        { task: "a", outcome: "failed" },
        { task: "b", outcome: "infra_error" },
      ],
    },
    { name: "two", trials: [{ task: "a" }, { task: "b", outcome: "failed" }] },
  ]);
  expect(run.results.map(({ outcome }) => outcome)).toEqual(["failed", "failed"]);
  expect(duplicates).toEqual([
    "a.1 is in one, two; the one in one counts",
    "b.1 is in one, two; the one in two counts",
  ]);
});

test("a missing shard, trial and attempt are reported", async () => {
  const { gaps, summary } = await merge([
    {
      name: "one",
      trials: [{ task: "a" }, { task: "b", unfinished: true }, { task: "b", attempt: 2 }],
      record: shard(1, 3),
    },
    { name: "three", trials: [{ task: "c" }], record: shard(3, 3) },
  ]);
  expect(gaps).toEqual([
    "shard 2/3 is missing",
    "b.1 has no result in one",
    "attempt 2 of a is in none of the runs",
    "attempt 2 of c is in none of the runs",
  ]);
  expect(summary.trials).toEqual({ planned: 4, finished: 3, scored: 3 });
});

test("earlier tries and everything else in a trial's folder are copied", async () => {
  const folder = makeFolder();
  const dir = writeRun(join(folder, "one"), [{ task: "a" }, { task: "a.1.try1" }]);
  for (const name of ["a.1.try1", "a.1/verifier"]) {
    mkdirSync(join(dir, "trials", name), { recursive: true });
    writeFileSync(join(dir, "trials", name, "x.log"), "x");
  }
  const out = join(folder, "whole");
  await mergeRuns([await readRun(dir)], out);
  expect(existsSync(join(out, "trials/a.1.try1/x.log"))).toBe(true);
  expect(existsSync(join(out, "trials/a.1/verifier/x.log"))).toBe(true);
  expect(existsSync(join(out, "trials/a.1.try1.1/result.json"))).toBe(true);
});

test.each<[string, Partial<RunRecord>, string]>([
  ["agents", { agent: { name: "x", spec: "./other" } }, "the agent ./my-agent"],
  ["sandboxes", { sandbox: "local" }, "sandbox docker"],
  ["rules", { grade_timeouts: true }, "grade_timeouts false"],
])("other %s are refused", async (_, record, message) => {
  await expect(
    merge([
      { name: "one", trials: [{ task: "a" }] },
      { name: "two", trials: [{ task: "b" }], record },
    ]),
  ).rejects.toThrow(message);
});

test("another version of a task is refused", async () => {
  await expect(
    merge([
      { name: "one", trials: [{ task: "a" }] },
      { name: "two", trials: [{ task: "a", attempt: 2, digest: "new" }] },
    ]),
  ).rejects.toThrow("the task a differs between");
});

test("what shards left out, and the datasets they are on, are those of all of them", async () => {
  const left = (task: string) => ({ task, dir: null, problem: "x" });
  const datasets = [{ name: "demo", version: "1", registry: "r" }];
  const { run, summary } = await merge([
    {
      name: "one",
      trials: [{ task: "a" }],
      record: { ...shard(1, 2), datasets, unreadable: [left("x")] },
    },
    {
      name: "two",
      trials: [{ task: "b" }],
      record: { ...shard(2, 2), datasets, unreadable: [left("x"), left("y")] },
    },
  ]);
  expect(run.record).toMatchObject({ datasets, unreadable: [left("x"), left("y")] });
  expect(summary.unreadable).toEqual(["x", "y"]);
});

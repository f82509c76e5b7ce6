import { expect, test } from "vitest";
import type { Outcome } from "../../src/events/outcomes.js";
import type { RunRecord } from "../../src/events/records.js";

import { createPalette } from "../../src/report/palette.js";
import { createProgress } from "../../src/report/progress.js";
import { describeTotals } from "../../src/report/totals.js";
import { summarize } from "../../src/score/summary.js";
import { makeRun } from "../support/stored-run.js";

function describeRun(
  tasks: Outcome[][],
  unreadable: NonNullable<RunRecord["unreadable"]> = [],
): string[] {
  const { record, results } = makeRun({
    tasks: tasks.map((outcomes, index) => ({ task: `t${index}`, outcomes })),
  });
  const summary = summarize({
    run: record.run,
    agent: "a",
    startedAt: "2030-01-01T00:00:00.000Z",
    finishedAt: "2030-01-01T00:00:09.000Z",
    interrupted: false,
    planned: results.length,
    results,
    unreadable,
  });
  return describeTotals(summary, createProgress(), createPalette(false));
}

test("one attempt: nothing about k", () => {
  expect(describeRun([["passed"], ["failed"]])).toEqual([
    "pass rate 50.0 % (1/2), 95 % interval 9.5–90.5 % for tasks like these",
    "mean reward 0.5, 95 % interval 0.09–0.91 (over 2 scored trials)",
    "not passed: 1 failed",
    "per trial: 10.0s",
    "2 trials in 9.0s",
  ]);
});

test("passes that rely on the agent's processes are named", () => {
  const { record, results } = makeRun({ tasks: [{ task: "a", outcomes: ["passed", "passed"] }] });
  const marked = results.map((result) => ({
    ...result,
    relies_on_processes: result.attempt === 2,
  }));
  const summary = summarize({
    run: record.run,
    agent: "a",
    startedAt: "2030-01-01T00:00:00.000Z",
    finishedAt: "2030-01-01T00:00:09.000Z",
    interrupted: false,
    planned: 2,
    results: marked,
  });
  expect(summary.relies_on_processes).toEqual(["a.2"]);
  expect(describeTotals(summary, createProgress(), createPalette(false))).toContain(
    "passed only with processes that the agent left running: 1 trial (a.2)",
  );
});

test("several attempts: pass@k, pass^k and what is flaky, with their denominators", () => {
  expect(
    describeRun([
      ["passed", "passed", "passed"],
      ["passed", "failed", "failed"],
      ["passed", "infra_error", "infra_error"],
    ]).slice(0, 5),
  ).toEqual([
    "pass rate 71.4 % (5/7), 95 % interval 23.5–95.3 % for tasks like these",
    "for exactly these tasks 35.9–91.8 %",
    "pass@2 83.3 % (24.1–98.7 %, 2 tasks), pass@3 100.0 % (34.2–100.0 %, 2 tasks)",
    "pass^2 50.0 % (9.5–90.5 %, 2 tasks), pass^3 50.0 % (9.5–90.5 %, 2 tasks)",
    "flaky: 1 of 3 tasks (t1)",
  ]);
});

test("with many attempts only some k, and the last one", () => {
  const [, , line] = describeRun([
    Array<Outcome>(12).fill("failed"),
    Array<Outcome>(12).fill("passed"),
  ]);
  expect(line).toBe(
    [2, 3, 5, 10, 12].map((k) => `pass@${k} 50.0 % (9.5–90.5 %, 2 tasks)`).join(", "),
  );
});

test("what isn't scored, and the rate with errors as failures", () => {
  const lines = describeRun([
    ["passed", "infra_error"],
    ["passed", "failed"],
  ]);
  expect(lines).toContain("not scored: 1 infra_error");
  expect(lines).toContain("with errors as failures 50.0 % (2/4)");
});

test("no task with enough scored trials", () => {
  expect(describeRun([["passed", "infra_error"]])[1]).toBe("pass@2 unknown (0 tasks)");
});

test("tasks that can't be read are said again at the end", () => {
  const unreadable = ["a", "b"].map((task) => ({ task, dir: null, problem: "x" }));
  expect(describeRun([["passed"]], unreadable)).toContain("left out as unreadable: 2 tasks (a, b)");
});

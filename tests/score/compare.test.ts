import { describe, expect, test } from "vitest";
import { judgeAgainstBaseline } from "../../src/score/baseline.js";
import { compareRuns } from "../../src/score/compare.js";
import { createRandom } from "../../src/score/random.js";
import { makeRun, makeTasks, type StoredTask } from "../support/stored-run.js";

const run = (tasks: StoredTask[], more: object = {}) => makeRun({ tasks, ...more });
const all = run(makeTasks(40));

describe("a regression planted in a run of 40 tasks", () => {
  test.each([
    [0, "no_difference"],
    [1, "no_difference"],
    [5, "no_difference"],
    [6, "worse"],
    [10, "worse"],
  ])("in %i: %s", (failed, verdict) => {
    const comparison = compareRuns(all, run(makeTasks(40, failed)), 0.05);
    expect(comparison.verdict).toBe(verdict);
    expect(comparison.difference.value).toBeCloseTo(-failed / 40, 12);
    expect(comparison.sign_test).toMatchObject({ won: 0, lost: failed, tied: 40 - failed });
    expect(comparison.lost).toHaveLength(failed);
    expect(judgeAgainstBaseline(comparison).verdict).toBe(
      verdict === "worse" ? "significant" : "ok",
    );
  });
});

test("the other way round it is better, with mirrored numbers", () => {
  const worse = run(makeTasks(40, 10));
  const back = compareRuns(worse, all, 0.05);
  expect(back.verdict).toBe("better");
  expect(back.difference.value).toBeCloseTo(0.25, 12);
  expect(back.difference.low).toBeGreaterThan(0);
  expect(judgeAgainstBaseline(back).drop).toBeCloseTo(-0.25, 12);
});

test("chance alone is rarely called a difference", () => {
  let called = 0;
  for (let round = 0; round < 60; round += 1) {
    const random = createRandom(round);
    const tasks = () =>
      makeTasks(30).map((task): StoredTask => {
        return { ...task, outcomes: [random() < 0.5 ? "passed" : "failed"] };
      });
    if (compareRuns(run(tasks()), run(tasks()), 0.05).verdict !== "no_difference") called += 1;
  }
  expect(called / 60).toBeLessThanOrEqual(0.1);
});

test("--max-drop is checked whatever the statistics say", () => {
  const comparison = compareRuns(all, run(makeTasks(40, 2)), 0.05);
  expect(judgeAgainstBaseline(comparison).verdict).toBe("ok");
  expect(judgeAgainstBaseline(comparison, 0.05).verdict).toBe("ok");
  expect(judgeAgainstBaseline(comparison, 0.04)).toEqual({
    verdict: "drop",
    drop: expect.closeTo(0.05, 12),
  });
});

test("a smaller alpha requires more evidence", () => {
  const six = run(makeTasks(40, 6));
  expect(compareRuns(all, six, 0.05).verdict).toBe("worse");
  expect(compareRuns(all, six, 0.01)).toMatchObject({
    verdict: "no_difference",
    difference: { level: 0.99 },
  });
});

test("several attempts: won, lost and newly flaky tasks", () => {
  const before = run([
    { task: "a", outcomes: ["passed", "passed"] },
    { task: "b", outcomes: ["failed", "failed"] },
    { task: "c", outcomes: ["passed", "failed"] },
    { task: "d", outcomes: ["passed", "infra_error"] },
  ]);
  const after = run([
    { task: "a", outcomes: ["passed", "failed"] },
    { task: "b", outcomes: ["agent_timeout", "passed"] },
    { task: "c", outcomes: ["passed", "passed"] },
    { task: "d", outcomes: ["passed", "passed"] },
  ]);
  const comparison = compareRuns(before, after, 0.05);
  expect(comparison.sign_test).toMatchObject({ won: 2, lost: 1, tied: 1 });
  expect(comparison.lost).toEqual([
    { task: "a", baseline: { passed: 2, scored: 2 }, candidate: { passed: 1, scored: 2 } },
  ]);
  expect(comparison.won.map(({ task }) => task)).toEqual(["b", "c"]);
  expect(comparison.newly_flaky).toEqual(["a", "b"]);
  expect(comparison.no_longer_flaky).toEqual(["c"]);
  expect(comparison.difference.value).toBeCloseTo((-0.5 + 0.5 + 0.5 + 0) / 4, 12);
});

test("differences in tasks and rules are reported", () => {
  const before = run([
    { task: "a", outcomes: ["passed"] },
    { task: "b", outcomes: ["passed"] },
    { task: "c", outcomes: ["passed"] },
    { task: "skipped", outcomes: ["skipped"] },
  ]);
  const after = run(
    [
      { task: "a", outcomes: ["passed"], digest: "other" },
      { task: "b", outcomes: ["failed"] },
      { task: "d", outcomes: ["passed"] },
      { task: "skipped", outcomes: ["passed"] },
    ],
    { limits: { max_steps: 200 }, gradeTimeouts: true },
  );
  const comparison = compareRuns(before, after, 0.05);
  expect(comparison.tasks).toEqual({
    compared: 2,
    changed: ["a"],
    only_baseline: ["c"],
    only_candidate: ["d"],
    unscored: ["skipped"],
  });
  expect(comparison.rules).toEqual([
    { name: "max_steps", values: ["100", "200"] },
    { name: "grade_timeouts", values: ["false", "true"] },
  ]);
  expect(comparison.baseline.pass_rate).toMatchObject({ passed: 2, of: 2 });
});

test("cost and time are those of the compared tasks", () => {
  const before = run([...makeTasks(2), { task: "zz", outcomes: ["passed"] }], { costUsd: 1 });
  const after = run(makeTasks(2, 1), { costUsd: 3, seconds: 20 });
  const { baseline, candidate } = compareRuns(before, after, 0.05);
  expect(baseline.per_trial).toMatchObject({ trials: 2, cost_usd: 1, time_sec: 10 });
  expect(candidate.per_trial).toMatchObject({ trials: 2, cost_usd: 3, time_sec: 20 });
  expect(candidate.per_pass).toMatchObject({ passes: 1, cost_usd: 6, time_sec: 40 });
});

test("nothing in common is an error, not a difference of 0", () => {
  const other = run([{ task: "elsewhere", outcomes: ["passed"] }]);
  expect(() => compareRuns(all, other, 0.05)).toThrow("no scored task in common");
});

import { describe, expect, test } from "vitest";
import { compareRuns } from "../../src/score/compare.js";
import { createRandom } from "../../src/score/random.js";
import { makeRun, makeTasks, type StoredTask } from "../support/stored-run.js";

const run = (tasks: StoredTask[], more: object = {}) => makeRun({ tasks, ...more });
const all = run(makeTasks(40));
type Run = ReturnType<typeof run>;
function compare(baseline: Run, candidate: Run, alpha = 0.05) {
  const [comparison] = compareRuns(baseline, [candidate], alpha);
  if (!comparison) throw new Error("nothing was compared");
  return comparison;
}

describe("a regression planted in a run of 40 tasks", () => {
  test.each([
    [0, "no_difference", 1],
    [1, "no_difference", 1],
    [5, "no_difference", 2 ** -4],
    [6, "worse", 2 ** -5],
    [10, "worse", 2 ** -9],
  ])("in %i: %s", (failed, verdict, p_value) => {
    const comparison = compare(all, run(makeTasks(40, failed)));
    const { difference } = comparison;
    expect(comparison.verdict).toBe(verdict);
    expect(comparison.test).toMatchObject({
      method: "exact",
      p_value: expect.closeTo(p_value, 12),
    });
    expect(difference.value).toBeCloseTo(-failed / 40, 12);
    expect(comparison.tasks).toMatchObject({ lower: failed, higher: 0, equal: 40 - failed });
    // The interval agrees with the test, and is never a point.
    expect(difference.high < 0).toBe(verdict === "worse");
    expect(difference.high - difference.low).toBeGreaterThan(0.02);
  });
});

test("the other way round it is better, with mirrored numbers", () => {
  const back = compare(run(makeTasks(40, 10)), all);
  expect(back.verdict).toBe("better");
  expect(back.difference.value).toBeCloseTo(0.25, 12);
  expect(back.difference.low).toBeGreaterThan(0);
});

test("chance alone is rarely called a difference", () => {
  let called = 0;
  for (let round = 0; round < 60; round += 1) {
    const random = createRandom(round);
    const tasks = () =>
      makeTasks(30).map((task): StoredTask => {
        return { ...task, outcomes: [random() < 0.5 ? "passed" : "failed"] };
      });
    if (compare(run(tasks()), run(tasks())).verdict !== "no_difference") called += 1;
  }
  expect(called / 60).toBeLessThanOrEqual(0.1);
});

test("several runs at once: Holm's correction decides", () => {
  const six = () => run(makeTasks(40, 6));
  expect(compare(all, six()).verdict).toBe("worse");
  const [first, second] = compareRuns(all, [six(), run(makeTasks(40, 1))], 0.05);
  expect(first).toMatchObject({
    verdict: "no_difference",
    test: {
      p_value: expect.closeTo(2 ** -5, 12),
      p_adjusted: expect.closeTo(2 ** -4, 12),
      comparisons: 2,
    },
  });
  expect(second?.verdict).toBe("no_difference");
});

test("a smaller alpha requires more evidence", () => {
  const six = run(makeTasks(40, 6));
  expect(compare(all, six, 0.01)).toMatchObject({
    verdict: "no_difference",
    difference: { level: 0.99 },
  });
});

test("what could have been seen at all stands beside it", () => {
  expect(compare(run(makeTasks(5)), run(makeTasks(5, 5))).detectable).toBeNull();
  const { detectable } = compare(all, all);
  expect(detectable).toBeGreaterThan(0.02);
  expect(detectable).toBeLessThan(0.2);
});

describe("tasks are named only if they changed by more than noise", () => {
  test("as many gain as lose: none is named", () => {
    const some = (from: number): StoredTask[] =>
      makeTasks(20).map((task, index) => ({
        ...task,
        outcomes: index >= from && index < from + 6 ? ["failed"] : ["passed"],
      }));
    const comparison = compare(run(some(0)), run(some(6)));
    expect(comparison).toMatchObject({ won: [], lost: [], tasks: { lower: 6, higher: 6 } });
    expect(comparison.within_noise).toHaveLength(12);
  });

  test("ten lose and none gains: all ten", () => {
    const comparison = compare(all, run(makeTasks(40, 10)));
    expect(comparison.lost).toHaveLength(10);
    expect(comparison.within_noise).toEqual([]);
  });

  test("one task proves it alone, with enough attempts", () => {
    const tasks = (outcome: "passed" | "failed"): StoredTask[] => [
      { task: "a", outcomes: Array(10).fill(outcome) },
      ...makeTasks(5).map((task) => ({ ...task, outcomes: Array(10).fill("passed") })),
    ];
    const { lost } = compare(run(tasks("passed")), run(tasks("failed")));
    expect(lost).toEqual([
      { task: "a", baseline: { passed: 10, scored: 10 }, candidate: { passed: 0, scored: 10 } },
    ]);
  });

  test("a single failure doesn't make a task newly flaky; many do", () => {
    const flaky = (count: number): StoredTask[] =>
      makeTasks(12).map((task, index) => ({
        ...task,
        outcomes: index < count ? ["passed", "failed"] : ["passed", "passed"],
      }));
    expect(compare(run(flaky(0)), run(flaky(1))).newly_flaky).toEqual([]);
    expect(compare(run(flaky(0)), run(flaky(8))).newly_flaky).toHaveLength(8);
    expect(compare(run(flaky(8)), run(flaky(0))).no_longer_flaky).toHaveLength(8);
  });
});

test("partial rewards are compared where they say more than passes", () => {
  const plain = run(makeTasks(12, 12));
  const withRewards = (reward: number) => ({
    ...plain,
    results: plain.results.map((result, index) => ({ ...result, reward: reward + index / 1e4 })),
  });
  const comparison = compare(withRewards(0.8), withRewards(0.3));
  expect(comparison.verdict).toBe("no_difference");
  expect(comparison.reward?.difference.value).toBeCloseTo(-0.5, 9);
  expect(comparison.reward?.test.p_adjusted).toBeLessThan(0.001);
  expect(compare(all, run(makeTasks(40, 10))).reward).toBeNull();
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
  const comparison = compare(before, after);
  expect(comparison.tasks).toEqual({
    compared: 2,
    higher: 0,
    lower: 1,
    equal: 1,
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

test("what isn't scored is counted on both sides", () => {
  const before = run(
    makeTasks(3).map((task) => ({ ...task, outcomes: ["passed", "infra_error"] })),
  );
  const { baseline, candidate } = compare(before, run(makeTasks(3)));
  expect(baseline).toMatchObject({
    not_scored: { infra_error: 3 },
    with_errors: { passed: 3, of: 6 },
    pass_rate: { passed: 3, of: 3 },
  });
  expect(candidate).toMatchObject({ not_scored: {}, with_errors: null });
});

test("cost and time are those of the compared tasks", () => {
  const before = run([...makeTasks(2), { task: "zz", outcomes: ["passed"] }], { costUsd: 1 });
  const after = run(makeTasks(2, 1), { costUsd: 3, seconds: 20 });
  const { baseline, candidate } = compare(before, after);
  expect(baseline.per_trial).toMatchObject({ trials: 2, cost_usd: 1, time_sec: 10 });
  expect(candidate.per_trial).toMatchObject({ trials: 2, cost_usd: 3, time_sec: 20 });
  expect(candidate.per_pass).toMatchObject({ passes: 1, cost_usd: 6, time_sec: 40 });
});

test("nothing in common is an error, not a difference of 0", () => {
  const other = run([{ task: "elsewhere", outcomes: ["passed"] }]);
  expect(() => compare(all, other)).toThrow("no scored task in common");
});

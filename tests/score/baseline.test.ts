import { describe, expect, test } from "vitest";
import { judgeAgainstBaseline } from "../../src/score/baseline.js";
import { detectableDrop } from "../../src/score/detectable.js";
import { createRandom } from "../../src/score/random.js";
import { testForWorse } from "../../src/score/stratified.js";
import { makeRun, makeTasks, type StoredTask } from "../support/stored-run.js";

const run = (tasks: StoredTask[], name = "run") => makeRun({ tasks, run: name });
const all = run(makeTasks(40));
/** Every task with these chances to pass, several times. */
function draw(random: () => number, chances: readonly number[], attempts: number): StoredTask[] {
  return chances.map((chance, index) => ({
    task: `t${index}`,
    outcomes: Array.from({ length: attempts }, () => (random() < chance ? "passed" : "failed")),
  }));
}
const uShaped = (random: () => number, tasks: number) =>
  Array.from({ length: tasks }, () => {
    const at = random();
    return at < 0.5 ? 1 : at < 0.75 ? random() : 0;
  });

test("a total collapse of 5 tasks × 3 is noticed", () => {
  const tasks = (outcome: "passed" | "failed"): StoredTask[] =>
    makeTasks(5).map((task) => ({ ...task, outcomes: [outcome, outcome, outcome] }));
  const judgement = judgeAgainstBaseline([run(tasks("passed"))], run(tasks("failed")), 0.05);
  expect(judgement.verdict).toBe("significant");
  expect(judgement.test.p_value).toBeCloseTo(20 ** -5, 12);
  expect(judgement.lost).toHaveLength(5);
});

test("the same agent twice passes at least 95 times of 100", () => {
  const random = createRandom(1);
  let failed = 0;
  for (let round = 0; round < 300; round += 1) {
    const chances = uShaped(random, 20);
    const [before, after] = [draw(random, chances, 3), draw(random, chances, 3)];
    if (judgeAgainstBaseline([run(before)], run(after), 0.05).verdict !== "ok") failed += 1;
  }
  expect(failed / 300).toBeLessThanOrEqual(0.05);
});

test("ten of a hundred points lost because some tasks broke: found, with 80 tasks × 5", () => {
  const random = createRandom(2);
  let found = 0;
  for (let round = 0; round < 60; round += 1) {
    const chances = uShaped(random, 80);
    const broken = chances.map((chance) => (random() < 0.16 ? 0 : chance));
    const [before, after] = [draw(random, chances, 5), draw(random, broken, 5)];
    if (judgeAgainstBaseline([run(before)], run(after), 0.05).verdict !== "ok") found += 1;
  }
  expect(found / 60).toBeGreaterThanOrEqual(0.85);
});

describe("a regression in a run of 40 tasks", () => {
  test.each([
    [1, "ok"],
    [4, "ok"],
    [5, "significant"],
    [10, "significant"],
  ])("in %i: %s", (failed, verdict) => {
    const judgement = judgeAgainstBaseline([all], run(makeTasks(40, failed)), 0.05);
    expect(judgement.verdict).toBe(verdict);
    expect(judgement.difference.value).toBeCloseTo(-failed / 40, 12);
    expect(judgement.difference.low).toBeLessThan(-failed / 40);
    expect(judgement.difference.high).toBeGreaterThan(-failed / 40);
  });
});

test("a better run is never worse", () => {
  expect(judgeAgainstBaseline([run(makeTasks(40, 20))], all, 0.05)).toMatchObject({
    verdict: "ok",
    test: { p_value: 1 },
  });
});

test("several baseline runs together are stronger evidence", () => {
  const worse = run(makeTasks(40, 4));
  expect(judgeAgainstBaseline([all], worse, 0.05).verdict).toBe("ok");
  const both = judgeAgainstBaseline([all, run(makeTasks(40), "again")], worse, 0.05);
  expect(both).toMatchObject({
    verdict: "significant",
    baseline: { run: "run, again", pass_rate: { passed: 80, of: 80 } },
  });
});

test("--max-drop is checked whatever the statistics say", () => {
  const two = run(makeTasks(40, 2));
  expect(judgeAgainstBaseline([all], two, 0.05).verdict).toBe("ok");
  expect(judgeAgainstBaseline([all], two, 0.05, 0.05).verdict).toBe("ok");
  expect(judgeAgainstBaseline([all], two, 0.05, 0.04).verdict).toBe("drop");
});

describe("the drop that could have been found", () => {
  test.each([
    [40, 1, 1],
    [40, 3, 0.8],
    [80, 5, 0.7],
    [20, 5, 0.9],
  ])("%i tasks × %i at %f: the test finds it about 80 times of 100", (tasks, attempts, chance) => {
    const passed = Math.round(attempts * chance);
    const side = { passed, scored: attempts };
    const pairs = Array.from({ length: tasks }, (_, index) => ({
      task: `t${index}`,
      baseline: side,
      candidate: side,
    }));
    const drop = detectableDrop(pairs, 0.05) ?? 0;
    // As the formula takes them: smoothed by one attempt with the average rate.
    const rate = passed / attempts;
    const random = createRandom(3);
    const count = (share: number) =>
      Array.from({ length: attempts }, () => random() < share).filter(Boolean).length;
    let found = 0;
    for (let round = 0; round < 300; round += 1) {
      const drawn = pairs.map(({ task }) => ({
        task,
        baseline: { passed: count(rate), scored: attempts },
        candidate: { passed: count(rate - drop), scored: attempts },
      }));
      if (testForWorse(drawn) <= 0.05) found += 1;
    }
    expect(found / 300).toBeGreaterThan(0.72);
    expect(found / 300).toBeLessThan(0.95);
  });

  test("none, if not even a collapse could be", () => {
    const pair = (task: string) => ({
      task,
      baseline: { passed: 1, scored: 1 },
      candidate: { passed: 1, scored: 1 },
    });
    expect(detectableDrop(["a", "b", "c"].map(pair), 0.05)).toBeNull();
    expect(detectableDrop(["a"].map(pair), 0.05)).toBeNull();
  });
});

import { describe, expect, test } from "vitest";
import { averageOverTasks, passAtK, passHatK } from "../../src/score/pass-at-k.js";

test("2 of 5 passed: one of two 0.70, both 0.10", () => {
  expect(passAtK(5, 2, 2)).toBeCloseTo(0.7, 12);
  expect(passHatK(5, 2, 2)).toBeCloseTo(0.1, 12);
});

/** Draws every set of k trials and counts, with no formula. */
function enumerate(scored: number, passed: number, k: number): { any: number; all: number } {
  let sets = 0;
  let any = 0;
  let all = 0;
  for (let set = 0; set < 2 ** scored; set += 1) {
    const members = Array.from({ length: scored }, (_, i) => i).filter((i) => (set >> i) & 1);
    if (members.length !== k) continue;
    sets += 1;
    if (members.some((i) => i < passed)) any += 1;
    if (members.every((i) => i < passed)) all += 1;
  }
  return { any: any / sets, all: all / sets };
}

describe("agrees with every set of k trials counted one by one", () => {
  test.each([1, 2, 3, 5, 8])("of %i", (scored) => {
    for (let passed = 0; passed <= scored; passed += 1)
      for (let k = 1; k <= scored; k += 1) {
        const counted = enumerate(scored, passed, k);
        expect(passAtK(scored, passed, k)).toBeCloseTo(counted.any, 12);
        expect(passHatK(scored, passed, k)).toBeCloseTo(counted.all, 12);
      }
  });
});

test("k = 1 is the pass rate", () => {
  expect(passAtK(200, 30, 1)).toBeCloseTo(0.15, 12);
  expect(passHatK(200, 30, 1)).toBeCloseTo(0.15, 12);
});

test("hundreds of trials, where binomials overflow", () => {
  expect(passAtK(2000, 1000, 1000)).toBe(1);
  expect(passHatK(2000, 1999, 1000)).toBeCloseTo(0.5, 12);
  expect(passAtK(2000, 1, 1000)).toBeCloseTo(0.5, 12);
});

test("fewer trials than k: undefined, not 0", () => {
  expect(passAtK(2, 2, 3)).toBeNull();
  expect(passHatK(2, 2, 3)).toBeNull();
  expect(passAtK(0, 0, 1)).toBeNull();
});

test("the average leaves out tasks with too few trials and says how many are left", () => {
  const tallies = [
    { task: "a", scored: 5, passed: 2 },
    { task: "b", scored: 1, passed: 1 },
    { task: "c", scored: 2, passed: 0 },
    { task: "d", scored: 0, passed: 0 },
  ];
  expect(averageOverTasks(tallies, 6, passAtK)).toMatchObject([
    { k: 1, value: expect.closeTo((0.4 + 1 + 0) / 3, 12), tasks: 3 },
    { k: 2, value: expect.closeTo((0.7 + 0) / 2, 12), tasks: 2 },
    { k: 3, value: expect.closeTo(0.9, 12), tasks: 1 },
    { k: 4, value: 1, tasks: 1 },
    { k: 5, value: 1, tasks: 1 },
    { k: 6, value: null, low: null, high: null, tasks: 0 },
  ]);
});

test("each has an interval that contains it and isn't of width 0", () => {
  const tallies = [2, 5, 0, 5, 4].map((passed, task) => ({ task: `${task}`, passed, scored: 5 }));
  for (const measure of [passAtK, passHatK])
    for (const { value, low, high } of averageOverTasks(tallies, 5, measure)) {
      expect(low).toBeLessThan(value ?? 0);
      expect(high).toBeGreaterThanOrEqual(value ?? 1);
    }
});

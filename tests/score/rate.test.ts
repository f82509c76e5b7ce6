import { expect, test } from "vitest";
import { ratePasses } from "../../src/score/rate.js";
import { computeRate } from "../../src/score/wilson.js";

const tallies = (...pairs: [passed: number, scored: number][]) =>
  pairs.map(([passed, scored], index) => ({ task: `t${index}`, passed, scored }));

test("one trial for each task: Wilson over the trials", () => {
  expect(ratePasses(tallies([1, 1], [0, 1], [1, 1]))).toEqual(computeRate(2, 3));
});

test("several trials: the spread of the tasks, with a t quantile", () => {
  // Task means 1, 0.5, 0: mean 0.5, standard deviation 0.5, error 0.5 / √3, t(2) = 4.3027.
  expect(ratePasses(tallies([4, 4], [2, 4], [0, 4]))).toEqual({
    value: 0.5,
    low: 0,
    high: 1,
    passed: 6,
    of: 12,
    method: "clustered_t",
    units: 3,
    standard_error: expect.closeTo(0.5 / Math.sqrt(3), 12),
  });
});

test("with equally many trials it is the t interval of the task means", () => {
  const passes = [5, 4, 3, 5, 2, 5, 4, 4, 3, 5, 1, 4];
  const means = passes.map((passed) => passed / 5);
  const mean = means.reduce((sum, value) => sum + value, 0) / means.length;
  const variance = means.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (means.length - 1);
  const rate = ratePasses(tallies(...passes.map((passed): [number, number] => [passed, 5])));
  expect(rate.value).toBeCloseTo(mean, 12);
  expect(rate.standard_error).toBeCloseTo(Math.sqrt(variance / 12), 12);
  expect(rate.low).toBeCloseTo(mean - 2.200985 * Math.sqrt(variance / 12), 5);
  expect(rate.high).toBeCloseTo(mean + 2.200985 * Math.sqrt(variance / 12), 5);
});

test("repeating every trial adds nothing: the error stays that of the tasks", () => {
  const once = tallies([2, 2], [0, 2], [1, 2], [2, 2], [0, 2]);
  const often = once.map((tally) => ({ ...tally, passed: tally.passed * 50, scored: 100 }));
  const [a, b] = [ratePasses(once), ratePasses(often)];
  expect(b.standard_error).toBeCloseTo(a.standard_error as number, 12);
  expect(b.low).toBeCloseTo(a.low as number, 12);
});

test("unequal trials: the value stays passed of scored", () => {
  const rate = ratePasses(tallies([3, 3], [0, 1], [1, 2]));
  expect(rate).toMatchObject({ value: 4 / 6, passed: 4, of: 6, units: 3 });
  // Residuals 3 − 3p, 0 − p, 1 − 2p with p = 2/3: 1, −2/3, −1/3.
  expect(rate.standard_error).toBeCloseTo(Math.sqrt(((1 + 4 / 9 + 1 / 9) * 3) / 2) / 6, 12);
});

test.each([
  ["all passed", tallies(...Array.from({ length: 10 }, (): [number, number] => [5, 5])), 10, 10],
  ["none passed", tallies([0, 3], [0, 3]), 0, 2],
])("no spread doesn't mean certainty: %s counts each task once", (_name, all, passed, tasks) => {
  const wilson = computeRate(passed, tasks);
  expect(ratePasses(all)).toMatchObject({
    low: wilson.low,
    high: wilson.high,
    method: "wilson",
    units: tasks,
  });
});

test("one task: its attempts are the sample", () => {
  expect(ratePasses(tallies([3, 5]))).toEqual(computeRate(3, 5));
});

test("tasks without a scored trial are no observations", () => {
  expect(ratePasses(tallies([1, 1], [0, 0], [0, 1]))).toEqual(computeRate(1, 2));
  expect(ratePasses([])).toEqual(computeRate(0, 0));
});

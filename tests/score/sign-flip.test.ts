import { expect, test } from "vitest";
import { correctForMany } from "../../src/score/holm.js";
import { normalCdf, normalQuantile } from "../../src/score/normal.js";
import { invertSigns, testSigns } from "../../src/score/sign-flip.js";

/* scipy.stats.permutation_test((d,), numpy.sum, permutation_type="samples", n_resamples=numpy.inf) */
test.each([
  [0.53125, [0.2, -0.4, 0.6, 1, 1 / 3, -2 / 3]],
  [0.0859375, [0.6, -0.2, 0.4, 0.4, 0.8, 0, 0.2, -0.4, 0.6, 0.2]],
  [0.03125, [0.2123, 0.4, 0.6345, 1, 0.333, -0.1661, 0.25]],
  [2 ** -5, [...Array(34).fill(0), ...Array(6).fill(-1)]],
  [1, [0, 0, 0]],
  [1, [0.5, -0.5]],
])("p = %f", (p, differences) => {
  expect(testSigns(differences)).toEqual({ p_value: expect.closeTo(p, 12), method: "exact" });
});

test("the same p for many tasks, with and without a common denominator", () => {
  const exact = Array.from({ length: 30 }, (_, task) => ((task % 5) - 1) / 5);
  // Too irregular for a common denominator, and too many to flip one by one.
  const drawn = exact.map((value, task) => value + 1e-6 * Math.sin(task));
  const [a, b] = [testSigns(exact), testSigns(drawn)];
  expect([a.method, b.method]).toEqual(["exact", "monte_carlo"]);
  expect(Math.abs(a.p_value - b.p_value)).toBeLessThan(0.01);
  expect(testSigns(drawn)).toEqual(b);
});

test("the interval: the same every time, mirrored for the other direction, never of width 0", () => {
  const differences = [0.2, -0.4, 0.6, 1, 0, 0, 0.4, 0.2, 0.8, 0.2];
  const interval = invertSigns(differences, 0.95);
  expect(invertSigns(differences, 0.95)).toEqual(interval);
  const turned = invertSigns(
    differences.map((value) => -value),
    0.95,
  );
  expect(turned.low).toBeCloseTo(-interval.high, 1);
  const same = invertSigns(Array(40).fill(0), 0.95);
  expect(same.low).toBeLessThan(-0.01);
  expect(same.high).toBeGreaterThan(0.01);
});

test("for many tasks it comes to mean ± 1.96 standard errors", () => {
  const differences = Array.from({ length: 400 }, (_, index) => (index % 4 === 0 ? 1 : 0));
  const error = Math.sqrt((0.25 * 0.75) / 400);
  const { low, high } = invertSigns(differences, 0.95);
  expect(low).toBeCloseTo(0.25 - 1.96 * error, 2);
  expect(high).toBeCloseTo(0.25 + 1.96 * error, 2);
});

/* statsmodels.stats.multitest.multipletests(p, method="holm")[1] */
test("Holm's correction", () => {
  const corrected = correctForMany([0.01, 0.04, 0.03, 0.005, 0.5]);
  for (const [index, p] of [0.04, 0.09, 0.09, 0.025, 0.5].entries())
    expect(corrected[index]).toBeCloseTo(p, 12);
  expect(correctForMany([])).toEqual([]);
  expect(correctForMany([0.03])).toEqual([0.03]);
});

/* scipy.stats.norm.cdf and ppf */
test("the normal distribution", () => {
  expect(normalCdf(-3)).toBeCloseTo(0.0013498980316300933, 12);
  expect(normalCdf(1.234)).toBeCloseTo(0.8913985478784756, 12);
  expect(normalQuantile(0.8)).toBeCloseTo(0.8416212335729143, 12);
  expect(normalQuantile(0.975)).toBeCloseTo(1.959963984540054, 12);
});

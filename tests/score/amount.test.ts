import { expect, test } from "vitest";
import { intervalOfAmount } from "../../src/score/amount.js";
import { averageClusters, type ClusteredMean } from "../../src/score/clusters.js";

const meanOf = (...values: number[]) =>
  averageClusters(values.map((sum) => ({ sum, count: 1 }))) as ClusteredMean;

/*
 * y = numpy.array([12,15,9,40,22,18,11,30]); n = 8; m = y.mean(); se = y.std(ddof=1)/n**.5
 * g = 1.3*scipy.stats.skew(y, bias=False); a = g/(3*n**.5); t = scipy.stats.t.ppf(.975, n-1)
 * f = lambda x: (numpy.cbrt(1+3*a*(x-g/(6*n**.5)))-1)/a; (m - se*f(t), m - se*f(-t))
 */
test("Hall's transformation of Student's t", () => {
  expect(intervalOfAmount(meanOf(12, 15, 9, 40, 22, 18, 11, 30))).toEqual({
    low: expect.closeTo(13.139772635865569, 8),
    high: expect.closeTo(55.606491141908876, 8),
  });
});

test("without skew it is Student's t", () => {
  // Mean 2, standard error 1/√3, t(2) = 4.302653.
  const { low, high } = intervalOfAmount(meanOf(1, 2, 3)) ?? { low: 0, high: 0 };
  expect(high).toBeCloseTo(2 + 4.302653 / Math.sqrt(3), 5);
  expect(low).toBe(0);
});

test("where nothing varies there is no interval, and none of width 0", () => {
  expect(intervalOfAmount(meanOf(3, 3, 3))).toBeNull();
  expect(intervalOfAmount(meanOf(3))).toBeNull();
});

test("tasks with more trials weigh more, and the points keep the mean", () => {
  const { value, points } = averageClusters([
    { sum: 6, count: 3 },
    { sum: 8, count: 1 },
  ]) as ClusteredMean;
  expect(value).toBe(3.5);
  expect(points.reduce((sum, point) => sum + point, 0) / 2).toBeCloseTo(3.5, 12);
});

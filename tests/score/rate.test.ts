import fc from "fast-check";
import { expect, test } from "vitest";
import { ratePasses } from "../../src/score/rate.js";
import { computeRate } from "../../src/score/wilson.js";

const tallies = (...pairs: [passed: number, scored: number][]) =>
  pairs.map(([passed, scored], index) => ({ task: `t${index}`, passed, scored }));
const times = (count: number, ...pair: [passed: number, scored: number]) =>
  Array.from({ length: count }, (): [number, number] => pair);

test("one trial for each task: Wilson over the trials", () => {
  expect(ratePasses(tallies([1, 1], [0, 1], [1, 1]))).toEqual(computeRate(2, 3));
});

/*
 * x = numpy.array([5,5,4,5,3,5,2,5,0,4])/5; p = x.mean(); v = x.var(ddof=1)/10
 * n = p*(1-p)/v * 1.959963984540054/scipy.stats.t.ppf(.975, 9)
 * statsmodels.stats.proportion.proportion_confint(p*n, n, method="wilson")
 * s = ((5*x*(5-5*x)/4).sum() + 1) / (50*p*(1-p)); proportion_confint(p*50/s, 50/s, method="wilson")
 */
test("several trials: Wilson on what the trials are worth", () => {
  const passes = [5, 5, 4, 5, 3, 5, 2, 5, 0, 4].map((passed): [number, number] => [passed, 5]);
  expect(ratePasses(tallies(...passes))).toEqual({
    value: 0.76,
    low: expect.closeTo(0.4970554266474184, 9),
    high: expect.closeTo(0.9102864447734044, 9),
    these_tasks: {
      low: expect.closeTo(0.6529790595258416, 12),
      high: expect.closeTo(0.842001876240287, 12),
    },
    passed: 38,
    of: 50,
    method: "wilson_effective",
    units: expect.closeTo(13.889694820448076, 9),
    standard_error: expect.closeTo(0.10666666666666667, 12),
  });
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
  expect(rate).toMatchObject({ value: 4 / 6, passed: 4, of: 6 });
  // Residuals 3 − 3p, 0 − p, 1 − 2p with p = 2/3: 1, −2/3, −1/3.
  expect(rate.standard_error).toBeCloseTo(Math.sqrt(((1 + 4 / 9 + 1 / 9) * 3) / 2) / 6, 12);
});

test.each([
  ["all passed", tallies(...times(10, 5, 5)), 10],
  ["none passed", tallies(...times(2, 0, 3)), 0],
])("no spread doesn't mean certainty: %s counts each task once", (_name, all, passed) => {
  const wilson = computeRate(passed, all.length);
  expect(ratePasses(all)).toMatchObject({ low: wilson.low, high: wilson.high, units: all.length });
});

test("doing worse never looks surer: 49 of 50 after 50 of 50", () => {
  const best = ratePasses(tallies(...times(10, 5, 5)));
  const next = ratePasses(tallies([4, 5], ...times(9, 5, 5)));
  expect(best.low).toBeCloseTo(0.7225, 4);
  expect(next.low as number).toBeLessThanOrEqual(best.low as number);
  expect(next.these_tasks?.low as number).toBeLessThan(best.these_tasks?.low as number);
});

test("whatever the results: the rate is inside, no width is 0, nothing beats all passed", () => {
  const runs = fc
    .record({ attempts: fc.integer({ min: 1, max: 6 }), tasks: fc.integer({ min: 1, max: 30 }) })
    .chain(({ attempts, tasks }) =>
      fc
        .array(fc.integer({ min: 0, max: attempts }), { minLength: tasks, maxLength: tasks })
        .map((passes) => ({ attempts, passes })),
    );
  fc.assert(
    fc.property(runs, ({ attempts, passes }) => {
      const rate = ratePasses(
        tallies(...passes.map((passed): [number, number] => [passed, attempts])),
      );
      const best = ratePasses(tallies(...times(passes.length, attempts, attempts)));
      const ends = [rate, rate.these_tasks].map((one) => [one?.low ?? 2, one?.high ?? -2] as const);
      for (const [low, high] of ends) {
        expect(low).toBeLessThanOrEqual(rate.value as number);
        expect(high).toBeGreaterThanOrEqual(rate.value as number);
        expect(high - low).toBeGreaterThan(0.001);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
      }
      expect(rate.low as number).toBeLessThanOrEqual((best.low as number) + 1e-12);
      expect(rate.these_tasks?.low ?? 2).toBeLessThanOrEqual((best.these_tasks?.low ?? 0) + 1e-12);
    }),
  );
});

test("one task: its attempts are the sample", () => {
  expect(ratePasses(tallies([3, 5]))).toEqual(computeRate(3, 5));
});

test("tasks without a scored trial are no observations", () => {
  expect(ratePasses(tallies([1, 1], [0, 0], [0, 1]))).toEqual(computeRate(1, 2));
  expect(ratePasses([])).toEqual(computeRate(0, 0));
});

import { expect, test } from "vitest";
import { computeRate } from "../../src/score/wilson.js";

// The four with 20 trials and more are the examples of Newcombe (1998), method 3.
test.each([
  [10, 10, 1, 0.7225, 1],
  [4, 5, 0.8, 0.3755, 0.9638],
  [1, 2, 0.5, 0.0945, 0.9055],
  [81, 263, 0.308, 0.2553, 0.3662],
  [15, 148, 0.1014, 0.0624, 0.1605],
  [0, 20, 0, 0, 0.1611],
  [1, 29, 0.0345, 0.0061, 0.1718],
  [1, 1, 1, 0.2065, 1],
  [0, 10, 0, 0, 0.2775],
])("%i of %i is %f, from %f to %f", (passed, of, value, low, high) => {
  const rate = computeRate(passed, of);
  expect(rate).toMatchObject({ passed, of });
  expect(rate.value).toBeCloseTo(value, 4);
  expect(rate.low).toBeCloseTo(low, 4);
  expect(rate.high).toBeCloseTo(high, 4);
});

test("nothing scored gives no rate, not a rate of 0", () => {
  expect(computeRate(0, 0)).toEqual({
    value: null,
    low: null,
    high: null,
    these_tasks: null,
    passed: 0,
    of: 0,
    method: "wilson",
    units: 0,
    standard_error: null,
  });
});

test("the ends are exact", () => {
  for (let of = 1; of <= 1000; of += 1) {
    expect(computeRate(of, of).high).toBe(1);
    expect(computeRate(0, of).low).toBe(0);
  }
});

test("the ends of the interval are where the score test reaches 1.96", () => {
  for (const [passed, of] of [
    [3, 7],
    [12, 40],
    [499, 500],
  ] as const) {
    const { value, low, high } = computeRate(passed, of);
    for (const end of [low, high]) {
      if (value === null || end === null) throw new Error("no rate");
      const score = Math.abs(value - end) / Math.sqrt((end * (1 - end)) / of);
      expect(score).toBeCloseTo(1.959964, 5);
    }
  }
});

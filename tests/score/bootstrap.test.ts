import { expect, test } from "vitest";
import { bootstrapMean } from "../../src/score/bootstrap.js";
import { createRandom } from "../../src/score/random.js";

test("the same numbers every time", () => {
  const values = [0, 1, 0, -1, 1, 1, 0, 0.5];
  expect(bootstrapMean(values, 0.95)).toEqual(bootstrapMean(values, 0.95));
});

test("the random numbers are uniform and don't repeat soon", () => {
  const random = createRandom(1);
  const counts = new Array<number>(10).fill(0);
  const seen = new Set<number>();
  for (let draw = 0; draw < 100_000; draw += 1) {
    const value = random();
    seen.add(value);
    counts[Math.floor(value * 10)] = (counts[Math.floor(value * 10)] ?? 0) + 1;
  }
  for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(400);
  expect(seen.size).toBeGreaterThan(99_990);
});

/** The exact distribution of a resampled mean: all 4^4 ways to draw. */
test("agrees with every possible resample of four values", () => {
  const values = [0, 0.25, 1, -0.5];
  const means: number[] = [];
  for (let draw = 0; draw < 4 ** 4; draw += 1) {
    const picks = [draw % 4, (draw >> 2) % 4, (draw >> 4) % 4, (draw >> 6) % 4];
    means.push(picks.reduce((sum, pick) => sum + (values[pick] as number), 0) / 4);
  }
  means.sort((a, b) => a - b);
  const { low, high } = bootstrapMean(values, 0.9);
  const shareBelow = (limit: number) => means.filter((mean) => mean < limit).length / means.length;
  const shareUpTo = (limit: number) => means.filter((mean) => mean <= limit).length / means.length;
  expect(shareBelow(low)).toBeLessThanOrEqual(0.06);
  expect(shareUpTo(low)).toBeGreaterThanOrEqual(0.04);
  expect(shareBelow(high)).toBeLessThanOrEqual(0.96);
  expect(shareUpTo(high)).toBeGreaterThanOrEqual(0.94);
});

test("for many values it comes to mean ± 1.96 standard errors", () => {
  const values = Array.from({ length: 400 }, (_, index) => (index % 4 === 0 ? 1 : 0));
  const error = Math.sqrt((0.25 * 0.75) / 400);
  const { low, high } = bootstrapMean(values, 0.95);
  expect(low).toBeCloseTo(0.25 - 1.96 * error, 2);
  expect(high).toBeCloseTo(0.25 + 1.96 * error, 2);
});

test("without spread the interval is a point", () => {
  expect(bootstrapMean([0, 0, 0], 0.95)).toEqual({ low: 0, high: 0 });
});

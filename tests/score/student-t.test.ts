import { expect, test } from "vitest";
import { studentT } from "../../src/score/student-t.js";

// From the usual printed table of two-sided critical values.
test.each([
  [0.95, 1, 12.7062],
  [0.95, 2, 4.3027],
  [0.95, 3, 3.1824],
  [0.95, 4, 2.7764],
  [0.95, 9, 2.2622],
  [0.95, 10, 2.2281],
  [0.95, 30, 2.0423],
  [0.95, 39, 2.0227],
  [0.95, 120, 1.9799],
  [0.9, 5, 2.015],
  [0.99, 1, 63.6567],
  [0.99, 7, 3.4995],
  [0.99, 20, 2.8453],
  [0.999, 60, 3.4602],
])("%f with %i degrees of freedom is %f", (level, degrees, quantile) => {
  expect(studentT(level, degrees)).toBeCloseTo(quantile, 3);
});

test("many degrees of freedom come to the normal quantile", () => {
  expect(studentT(0.95, 100_000)).toBeCloseTo(1.95999, 4);
});

test("agrees with the density added up in small steps", () => {
  for (const degrees of [1, 2, 5, 8, 13]) {
    const end = studentT(0.8, degrees);
    const density = (t: number) => (1 + t ** 2 / degrees) ** (-(degrees + 1) / 2);
    // The factor in front of the density cancels out: both areas are added up the same way.
    const all = 2 * addUp(density, 0, 1) + 2 * addUp((u) => density(1 / u) / u ** 2, 1e-9, 1);
    const within =
      end <= 1 ? 2 * addUp(density, 0, end) : 2 * addUp(density, 0, 1) + 2 * addUp(density, 1, end);
    expect(within / all).toBeCloseTo(0.8, 4);
  }
});

function addUp(density: (x: number) => number, from: number, to: number): number {
  const steps = 20_000;
  const width = (to - from) / steps;
  let sum = 0;
  for (let step = 0; step < steps; step += 1) sum += density(from + (step + 0.5) * width) * width;
  return sum;
}

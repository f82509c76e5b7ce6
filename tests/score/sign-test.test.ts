import { expect, test } from "vitest";
import { signTest } from "../../src/score/sign-test.js";

/** Every sequence of coin flips, counted. */
function enumerate(won: number, lost: number): number {
  const flips = won + lost;
  const uneven = Math.abs(won - lost);
  let extreme = 0;
  for (let sequence = 0; sequence < 2 ** flips; sequence += 1) {
    let heads = 0;
    for (let bit = 0; bit < flips; bit += 1) heads += (sequence >> bit) & 1;
    if (Math.abs(heads - (flips - heads)) >= uneven) extreme += 1;
  }
  return extreme / 2 ** flips;
}

test("agrees with every sequence of flips counted one by one", () => {
  for (let won = 0; won <= 8; won += 1)
    for (let lost = 0; lost <= 6; lost += 1)
      expect(signTest(won, lost)).toBeCloseTo(enumerate(won, lost), 12);
});

// Tables of the sign test: 9 of 10 is 0.0215, 15 of 20 is 0.0414.
test.each([
  [0, 0, 1],
  [1, 0, 1],
  [0, 5, 0.0625],
  [0, 6, 0.03125],
  [9, 1, 0.0215],
  [15, 5, 0.0414],
  [0, 10, 0.00195],
])("%i won and %i lost: p = %f", (won, lost, p) => {
  expect(signTest(won, lost)).toBeCloseTo(p, 4);
});

test("thousands of tasks don't underflow", () => {
  expect(signTest(1500, 1500)).toBe(1);
  expect(signTest(1400, 1600)).toBeCloseTo(0.00028, 4);
});

import { expect, test } from "vitest";
import {
  formatCost,
  formatCount,
  formatDuration,
  formatNumber,
  formatSeconds,
} from "../../src/report/format.js";

test.each([
  [0, "0.0s", "0s"],
  [1.24, "1.2s", "1s"],
  [59.94, "59.9s", "59s"],
  [59.96, "1m 00s", "59s"],
  [125, "2m 05s", "2m 05s"],
  [3599.6, "1h 00m", "59m 59s"],
  [3725, "1h 02m", "1h 02m"],
  [360_000, "100h 00m", "100h 00m"],
])("%f seconds", (seconds, exact, counting) => {
  expect(formatDuration(seconds)).toBe(exact);
  expect(formatSeconds(seconds)).toBe(counting);
});

test.each([
  [0, "$0.00"],
  [0.00123, "$0.0012"],
  [0.1, "$0.10"],
  [1329.315, "$1,329.32"],
])("%f dollars", (usd, text) => {
  expect(formatCost(usd)).toBe(text);
});

test("numbers and words", () => {
  expect([1, 0.5, 0.8333, 0].map(formatNumber)).toEqual(["1", "0.5", "0.83", "0"]);
  expect(formatCount(1, "step")).toBe("1 step");
  expect(formatCount(1234, "step")).toBe("1,234 steps");
});

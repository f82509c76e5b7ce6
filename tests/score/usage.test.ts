import { expect, test } from "vitest";
import type { UsageTotals } from "../../src/events/records.js";
import { sumTries, sumUsage } from "../../src/score/usage.js";

const usage = (
  models: string[],
  input_tokens: number,
  output_tokens: number,
  cost_usd: number | null,
): UsageTotals => ({ models, input_tokens, output_tokens, cost_usd });

test.each<[string, (UsageTotals | null)[], UsageTotals | null]>([
  ["nothing", [], null],
  ["only unknown", [null, null], null],
  ["one", [usage(["a"], 1, 2, 0.5)], usage(["a"], 1, 2, 0.5)],
  ["an unknown among known", [null, usage(["a"], 1, 2, 0.5), null], usage(["a"], 1, 2, 0.5)],
  ["no cost stays no cost", [usage([], 1, 2, null), usage([], 3, 4, null)], usage([], 4, 6, null)],
  [
    "some cost is the cost that is known",
    [usage([], 1, 2, null), usage([], 3, 4, 0.25)],
    usage([], 4, 6, 0.25),
  ],
  ["a cost of 0 is known", [usage([], 1, 1, 0), usage([], 1, 1, null)], usage([], 2, 2, 0)],
  [
    "models are sorted and not repeated",
    [usage(["b"], 0, 0, 0.25), usage(["a", "b"], 0, 0, 0.5)],
    usage(["a", "b"], 0, 0, 0.75),
  ],
])("%s", (_name, parts, total) => {
  expect(sumUsage(parts)).toEqual(total);
});

test("does not change its input", () => {
  const part = usage(["b", "a"], 1, 2, null);
  sumUsage([part, part]);
  expect(part).toEqual(usage(["b", "a"], 1, 2, null));
});

test.each<[string, (UsageTotals | null)[], number | null]>([
  ["known in each", [usage([], 1, 2, 0.5), usage([], 3, 4, 0.25)], 0.75],
  ["a try that reported nothing", [null, usage([], 3, 4, 0.25)], 0.25],
  ["a try that used nothing", [usage([], 0, 0, null), usage([], 3, 4, 0.25)], 0.25],
  ["unknown in one", [usage([], 1, 2, null), usage([], 3, 4, 0.25)], null],
])("the cost of a trial's tries: %s", (_name, tries, cost) => {
  expect(sumTries(tries)?.cost_usd).toBe(cost);
});

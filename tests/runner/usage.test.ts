import { expect, test } from "vitest";
import { UsageMeter } from "../../src/runner/usage.js";

interface Usage {
  model?: string | null;
  input_tokens?: number | null;
  output_tokens?: number | null;
  cost_usd?: number | null;
}

const spent = (...steps: (Usage | null)[]) => {
  const meter = new UsageMeter();
  for (const usage of steps) meter.add(usage && { usage });
  return meter.totals;
};
const totals = (input_tokens: number, output_tokens: number, cost_usd: number | null) => ({
  models: [],
  input_tokens,
  output_tokens,
  cost_usd,
});

test.each<[string, (Usage | null)[], ReturnType<typeof totals> | null]>([
  ["nothing", [null, null], null],
  [
    "steps with a cost",
    [{ input_tokens: 1, cost_usd: 0.5 }, null, { cost_usd: 0.25 }],
    totals(1, 0, 0.75),
  ],
  ["a cost of 0", [{ input_tokens: 1, cost_usd: 0 }], totals(1, 0, 0)],
  ["never a cost", [{ input_tokens: 1 }, { output_tokens: 2 }], totals(1, 2, null)],
  [
    "tokens without a cost, first",
    [{ input_tokens: 1 }, { input_tokens: 2, cost_usd: 0.5 }],
    totals(3, 0, null),
  ],
  [
    "tokens without a cost, last",
    [{ input_tokens: 2, cost_usd: 0.5 }, { output_tokens: 1 }],
    totals(2, 1, null),
  ],
  [
    "no tokens and no cost",
    [{ input_tokens: 2, cost_usd: 0.5 }, { input_tokens: 0 }],
    totals(2, 0, 0.5),
  ],
])("%s", (_name, steps, expected) => {
  expect(spent(...steps)).toEqual(expected);
});

test("models are listed once, in the order of their first use", () => {
  const steps = ["b", "a", null, "b"].map((model) => ({ model }));
  expect(spent(...steps)?.models).toEqual(["b", "a"]);
});

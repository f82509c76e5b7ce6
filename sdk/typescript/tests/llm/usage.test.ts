import { describe, expect, test } from "vitest";
import { UsageTotals } from "../../src/llm/index.js";
import { ModelServer } from "./support/model-server.js";
import { ask, claudeAt, openaiAt } from "./support/models.js";

const usage = { input: 1000, output: 200, cacheRead: 5000, cacheWrite: 400 };
const price = { input: 1, output: 10, cacheRead: 0.1, cacheWrite: 2 };

describe("Token tracking", () => {
  test("Claude: input is uncached, cached and written tokens, each with its own price", async () => {
    await using server = await ModelServer.start([{ text: "a", usage }]);
    const response = await claudeAt(server, { price }).run(ask("go"));
    expect(response.usage).toEqual({
      model: "claude-sonnet-5-5",
      inputTokens: 6400,
      outputTokens: 200,
      cachedTokens: 5000,
      cacheWriteTokens: 400,
      costUsd: (1000 * 1 + 5000 * 0.1 + 400 * 2 + 200 * 10) / 1e6,
    });
  });

  test("OpenAI-compatible: cached tokens are part of the prompt", async () => {
    const { cacheWrite: _, ...plain } = usage;
    await using server = await ModelServer.start([{ text: "a", usage: plain }]);
    const response = await openaiAt(server, { price: { input: 1, output: 10 } }).run(ask("go"));
    expect(response.usage).toEqual({
      model: "test-model",
      inputTokens: 6000,
      outputTokens: 200,
      cachedTokens: 5000,
      cacheWriteTokens: null,
      costUsd: (6000 * 1 + 200 * 10) / 1e6,
    });
  });

  test("only a known model has a price", async () => {
    await using server = await ModelServer.start(() => ({
      text: "a",
      usage: { input: 1e6, output: 0 },
    }));
    const costOf = async (model: string) =>
      (await claudeAt(server, { model }).run(ask("go"))).usage.costUsd;
    expect(await costOf("claude-sonnet-5-5")).toBe(2);
    expect(await costOf("claude-sonnet-5-5-preview")).toBeNull();
  });

  test("a server that reports no tokens: they and the cost are unknown", async () => {
    await using server = await ModelServer.start([{ text: "a", usage: null }]);
    const response = await openaiAt(server, { price }).run(ask("go"));
    expect(response.usage).toMatchObject({ inputTokens: null, outputTokens: null, costUsd: null });
  });

  test("totals over several calls", () => {
    const totals = new UsageTotals();
    const call = { model: "m", cachedTokens: 5, cacheWriteTokens: null };
    expect(totals).toMatchObject({ invocations: 0, costUsd: 0 });
    totals.add({ ...call, inputTokens: 10, outputTokens: 1, costUsd: 0.5 });
    totals.add({ ...call, inputTokens: 20, outputTokens: 2, costUsd: 0.25 });
    expect(totals).toMatchObject({
      totalInputTokens: 30,
      totalOutputTokens: 3,
      totalCachedTokens: 10,
      invocations: 2,
      uncounted: 0,
      costUsd: 0.75,
    });
    totals.add({ ...call, inputTokens: null, outputTokens: null, costUsd: null });
    totals.add({ ...call, inputTokens: 1, outputTokens: 1, costUsd: 1 });
    expect(totals).toMatchObject({
      totalInputTokens: 31,
      invocations: 4,
      uncounted: 1,
      costUsd: null,
    });
  });
});

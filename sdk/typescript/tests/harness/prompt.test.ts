import { describe, expect, test } from "vitest";
import { Harness } from "../../src/harness/index.js";
import type { Model } from "../../src/llm/index.js";
import { call, say, scriptedClaude, workTool } from "./support/model.js";

describe("prompt", () => {
  test("sends the conversation, runs tools and repeats until none is called", async () => {
    const { server, model } = await scriptedClaude([
      { text: "Let me see.", ...call(["work", { what: "look" }]) },
      call(["work", { what: "again" }]),
      say("All is well."),
    ]);
    const harness = new Harness({ model }, [workTool((what) => `did ${what}`)]);
    const end = await harness.prompt("Have a look");
    expect(end).toMatchObject({ reason: "complete", text: "All is well.", turns: 3 });
    expect(server.requests.map(({ body }) => body.messages.length)).toEqual([1, 3, 5]);
    expect(JSON.stringify(server.requests[2]?.body.messages)).toMatch(
      /Have a look.*Let me see\..*look.*did look.*again.*did again/,
    );
  });

  test("sums up the usage of its calls", async () => {
    const { model } = await scriptedClaude([
      { ...call(["work", { what: "a" }]), usage: { input: 100, output: 10 } },
      { ...say("Done"), usage: { input: 50, output: 20, cacheRead: 100 } },
    ]);
    const { usage } = await new Harness({ model }, [workTool(() => "")]).prompt("Go");
    expect(usage).toMatchObject({
      totalInputTokens: 250,
      totalOutputTokens: 30,
      totalCachedTokens: 100,
      invocations: 2,
      costUsd: 250 + 2 * 30,
    });
  });

  test("sums up over prompts, including failed ones", async () => {
    const { model } = await scriptedClaude([
      { ...call(["work", { what: "a" }]), usage: { input: 100, output: 10 } },
      { status: 401 },
      { ...say("Done"), usage: { input: 50, output: 20 } },
    ]);
    const harness = new Harness({ model }, [workTool(() => "")]);
    await expect(harness.prompt("Go")).rejects.toMatchObject({ kind: "invalid" });
    expect(harness.usage).toMatchObject({ totalInputTokens: 100, invocations: 1 });
    await harness.prompt("Go on");
    expect(harness.usage).toMatchObject({ totalInputTokens: 150, invocations: 2 });
  });

  test.each(["", "  \n"])("rejects an empty one: %j", async (content) => {
    const { server, model } = await scriptedClaude([]);
    const harness = new Harness({ model });
    await expect(harness.prompt(content)).rejects.toMatchObject({ kind: "invalid" });
    expect(harness.conversation).toEqual([]);
    expect(server.requests).toEqual([]);
  });
});

describe("termination", () => {
  test("max turns: the last turn's tools still run", async () => {
    const done: string[] = [];
    const { model } = await scriptedClaude([
      call(["work", { what: "a" }]),
      { text: "And now", ...call(["work", { what: "b" }]) },
    ]);
    const harness = new Harness({ model, maxTurns: 2 }, [workTool((what) => done.push(what))]);
    expect(await harness.prompt("Go")).toMatchObject({
      reason: "max_turns",
      text: "And now",
      turns: 2,
    });
    expect(done).toEqual(["a", "b"]);
  });

  test("max turns can be less for one prompt", async () => {
    const { server, model } = await scriptedClaude(() => call(["work", { what: "a" }]));
    const harness = new Harness({ model }, [workTool(() => "")]);
    expect(await harness.prompt("Go", undefined, 1)).toMatchObject({ reason: "max_turns" });
    expect(server.requests).toHaveLength(1);
  });

  test("a truncated response is reported", async () => {
    const { model } = await scriptedClaude([{ text: "It all be", stopReason: "max_tokens" }]);
    expect(await new Harness({ model }).prompt("Tell me")).toMatchObject({
      reason: "max_tokens",
      text: "It all be",
    });
  });

  test("a truncated tool call is returned to the model as an error", async () => {
    const { server, model } = await scriptedClaude([
      { toolCalls: [{ name: "work", arguments: '{"what": "wri' }], stopReason: "max_tokens" },
      say("Shorter, then."),
    ]);
    const end = await new Harness({ model }, [workTool(() => "")]).prompt("Go");
    expect(end).toMatchObject({ reason: "complete", turns: 2 });
    expect(server.requests[1]?.body.messages.at(-1).content[0]).toMatchObject({
      type: "tool_result",
      is_error: true,
    });
  });

  test("an unrecoverable error rejects, with its kind", async () => {
    const { server, model } = await scriptedClaude([{ status: 401 }]);
    await expect(new Harness({ model }).prompt("Go")).rejects.toMatchObject({
      name: "AgentError",
      status: 401,
    });
    expect(server.requests).toHaveLength(1);
  });

  test("errors mid-conversation reject too", async () => {
    const { model } = await scriptedClaude([call(["work", { what: "a" }]), { status: 400 }]);
    const harness = new Harness({ model }, [workTool(() => "")]);
    await expect(harness.prompt("Go")).rejects.toMatchObject({ kind: "invalid", status: 400 });
  });

  test("a foreign error becomes an AgentError", async () => {
    const bug = new TypeError("x is undefined");
    const model: Model = { name: "m", contextTokens: null, run: () => Promise.reject(bug) };
    await expect(new Harness({ model }).prompt("Go")).rejects.toMatchObject({
      name: "AgentError",
      kind: "agent",
      message: "x is undefined",
      cause: bug,
    });
  });
});

describe("concurrency", () => {
  test("a second prompt while one runs is an error, and doesn't affect the first", async () => {
    const { server, model } = await scriptedClaude([say("One"), say("Two")]);
    const harness = new Harness({ model });
    const first = harness.prompt("First");
    expect(harness.running).toBe(true);
    await expect(harness.prompt("Second")).rejects.toMatchObject({
      kind: "invalid",
      message: "another prompt is still running",
    });
    expect(await first).toMatchObject({ text: "One" });
    expect(harness.running).toBe(false);
    expect(await harness.prompt("Third")).toMatchObject({ text: "Two" });
    expect(server.requests).toHaveLength(2);
    expect(JSON.stringify(harness.conversation)).not.toContain("Second");
  });

  test("a handler may prompt again on idle", async () => {
    const { model } = await scriptedClaude([say("One"), say("Two")]);
    let second: Promise<unknown> | undefined;
    const harness: Harness = new Harness({ model }, [], {
      status({ state }) {
        if (state === "idle") second ??= harness.prompt("Second");
      },
    });
    await harness.prompt("First");
    expect(await second).toMatchObject({ text: "Two" });
  });
});

test("lifecycle: each prompt sends the whole conversation", async () => {
  const { server, model } = await scriptedClaude([say("Blue"), say("You asked for a colour")]);
  const harness = new Harness({ model });
  await harness.prompt("Name a colour");
  await harness.prompt("What did I ask?");
  expect(server.requests[1]?.body.messages).toMatchObject([
    { role: "user" },
    { role: "assistant" },
    { role: "user" },
  ]);
  expect(harness.conversation.map(({ content }) => content)).toEqual([
    "Name a colour",
    "Blue",
    "What did I ask?",
    "You asked for a colour",
  ]);
});

import { describe, expect, test } from "vitest";
import { Harness } from "../../src/harness/index.js";
import { call, say, scriptedClaude, workTool } from "./support/model.js";

const work = workTool(() => "done");

describe("configuration", () => {
  test("defaults: no system prompt, 4096 tokens, the provider's temperature, 10 turns", async () => {
    const { server, model } = await scriptedClaude(() => call(["work", { what: "go on" }]));
    const end = await new Harness({ model }, [work]).prompt("Begin");
    expect(end).toMatchObject({ reason: "max_turns", turns: 10 });
    expect(server.requests).toHaveLength(10);
    const { body } = server.requests[0] ?? {};
    expect(body).toMatchObject({ model: "scripted", max_tokens: 4096 });
    expect(body).not.toHaveProperty("system");
    expect(body).not.toHaveProperty("temperature");
  });

  test("everything can be set", async () => {
    const { server, model } = await scriptedClaude(() => call(["work", { what: "go on" }]));
    const config = { model, system: "Be good.", maxTurns: 2, maxTokens: 77, temperature: 0.5 };
    const end = await new Harness(config, [work]).prompt("Begin");
    expect(end).toMatchObject({ reason: "max_turns", turns: 2 });
    expect(server.requests).toHaveLength(2);
    for (const { body } of server.requests) {
      expect(body).toMatchObject({ max_tokens: 77, temperature: 0.5 });
      expect(JSON.stringify(body.system)).toContain("Be good.");
    }
  });

  test("without maxTokens the model's configuration applies", async () => {
    const { server, model } = await scriptedClaude([say("Hi")], { maxTokens: 123 });
    await new Harness({ model }).prompt("Hello");
    expect(server.requests[0]?.body.max_tokens).toBe(123);
  });

  test.each([
    ["maxTurns", 0],
    ["maxTurns", Number.NaN],
    ["maxTokens", -1],
  ])("%s of %d is rejected", async (name, value) => {
    const { model } = await scriptedClaude([]);
    expect(() => new Harness({ model, [name]: value })).toThrow(`${name} must be at least 1`);
  });
});

test("tool choice: the model decides, by the provider's default", async () => {
  const { server, model } = await scriptedClaude([say("Hi")]);
  await new Harness({ model }, [work]).prompt("Hello");
  const [request] = server.requests;
  expect(request?.body.tools).toHaveLength(1);
  expect(request?.body.tool_choice ?? { type: "auto" }).toMatchObject({ type: "auto" });
});

describe("constructor", () => {
  test("makes no call", async () => {
    const { server, model } = await scriptedClaude([]);
    const harness = new Harness({ model }, [work]);
    expect(harness.running).toBe(false);
    expect(harness.conversation).toEqual([]);
    expect(server.requests).toEqual([]);
  });

  test("rejects two tools with the same name", async () => {
    const { model } = await scriptedClaude([]);
    expect(() => new Harness({ model }, [work, work])).toThrow("two tools have the same name");
  });
});

test("tool registration: all tools in every request, even if the caller's list changes", async () => {
  const { server, model } = await scriptedClaude([
    call(["work", { what: "a" }]),
    say("First"),
    say("Second"),
  ]);
  const tools = [work];
  const harness = new Harness({ model }, tools);
  tools.pop();
  await harness.prompt("One");
  await harness.prompt("Two");
  const registered = server.requests.map(({ body }) => body.tools);
  expect(registered[0]).toMatchObject([
    { name: "work", description: "Works.", input_schema: work.parameters },
  ]);
  expect(registered).toHaveLength(3);
  expect(new Set(registered.map((list) => JSON.stringify(list))).size).toBe(1);
});

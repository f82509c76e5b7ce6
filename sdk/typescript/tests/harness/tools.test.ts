import { describe, expect, test } from "vitest";
import { Harness } from "../../src/harness/index.js";
import { defineTool, type Message, type Tool } from "../../src/llm/index.js";
import { call, say, scriptedClaude, workTool } from "./support/model.js";

/** The results of one turn with these calls. */
async function resultsOf(calls: [string, object | string][], tools: Tool[]) {
  const { server, model } = await scriptedClaude([call(...calls), say("I see.")]);
  const harness = new Harness({ model }, tools);
  expect(await harness.prompt("Go")).toMatchObject({ reason: "complete", turns: 2 });
  // What was kept is what was sent.
  const sent = server.requests[1]?.body.messages.at(-1).content;
  expect(sent).toHaveLength(calls.length);
  return harness.conversation.filter(isResult).map(({ content, isError }) => [content, isError]);
}

const isResult = (message: Message) => message.role === "tool_result";

describe("tool execution", () => {
  test("runs calls in sequence, in the order of the response", async () => {
    const log: string[] = [];
    const work = workTool(async (what) => {
      log.push(`begin ${what}`);
      await new Promise((resolve) => setImmediate(resolve));
      log.push(`end ${what}`);
      return what.toUpperCase();
    });
    const results = await resultsOf(
      [
        ["work", { what: "a" }],
        ["work", { what: "b" }],
      ],
      [work],
    );
    expect(log).toEqual(["begin a", "end a", "begin b", "end b"]);
    expect(results).toEqual([
      ["A", false],
      ["B", false],
    ]);
  });

  test("the first error stops the rest of the turn; each call still gets a result", async () => {
    const done: string[] = [];
    const work = workTool((what) => {
      done.push(what);
      if (what === "b") throw new Error("b is broken");
      return "fine";
    });
    const results = await resultsOf(
      [
        ["work", { what: "a" }],
        ["work", { what: "b" }],
        ["work", { what: "c" }],
        ["work", { what: "d" }],
      ],
      [work],
    );
    expect(done).toEqual(["a", "b"]);
    expect(results).toEqual([
      ["fine", false],
      ["b is broken", true],
      ["Not run: work failed before it.", true],
      ["Not run: work failed before it.", true],
    ]);
  });
});

describe("error propagation: the model is told about", () => {
  const work = workTool(() => "fine");

  test.each<[string, [string, object | string], Tool, string]>([
    ["an exception", ["work", { what: "a" }], workTool(fail(new Error("boom"))), "boom"],
    ["a rejection", ["work", { what: "a" }], workTool(() => Promise.reject("late")), "late"],
    [
      "an error without a reason",
      ["work", { what: "a" }],
      workTool(fail(new Error())),
      "The tool failed without a reason.",
    ],
    ["an unknown tool", ["play", {}], work, 'Unknown tool "play". Available tools: work.'],
    ["a missing argument", ["work", {}], work, 'Invalid arguments: "what" is missing'],
    [
      "an argument of the wrong type",
      ["work", { what: ["a"] }],
      work,
      'Invalid arguments: "what" must be string, not ["a"]',
    ],
  ])("%s", async (_name, called, tool, message) => {
    expect(await resultsOf([called], [tool])).toEqual([[message, true]]);
  });

  test("arguments that aren't JSON", async () => {
    const [result] = await resultsOf([["work", '{"what": ']], [work]);
    expect(result).toEqual([expect.stringMatching(/^Invalid arguments: ./), true]);
  });

  test("a result that JSON can't represent", async () => {
    const [result] = await resultsOf([["work", { what: "a" }]], [workTool(() => 1n)]);
    expect(result).toEqual([expect.stringContaining("BigInt"), true]);
  });
});

test.each<[string, unknown, string]>([
  ["a string as it is", 'say "a"\n', 'say "a"\n'],
  ["an object as JSON", { a: [1, null] }, '{"a":[1,null]}'],
  ["a number as JSON", 0, "0"],
  ["nothing as an empty text", undefined, ""],
])("results: %s", async (_name, value, text) => {
  expect(await resultsOf([["work", { what: "a" }]], [workTool(() => value)])).toEqual([
    [text, false],
  ]);
});

test("argument types are checked at the top level only", async () => {
  const types = { n: "number", i: "integer", b: "boolean", a: "array", o: "object", z: "null" };
  const properties = Object.fromEntries(
    Object.entries(types).map(([name, type]) => [name, { type }]),
  );
  const tool: Tool = {
    name: "typed",
    description: "Typed.",
    parameters: {
      type: "object",
      properties: { ...properties, any: {}, two: { type: ["string", "null"] } },
    },
    execute: (args) => Object.keys(args).length,
  };
  const good = { n: 1.5, i: 2, b: false, a: [], o: {}, z: null, any: "x", two: null, other: 1 };
  expect(await resultsOf([["typed", good]], [tool])).toEqual([["9", false]]);
  for (const [name, wrong] of Object.entries({
    n: "1",
    i: 1.5,
    b: 0,
    a: {},
    o: [],
    z: 0,
    two: 1,
  })) {
    const [result] = await resultsOf([["typed", { [name]: wrong }]], [tool]);
    expect(result).toEqual([expect.stringContaining(`"${name}" must be`), true]);
  }
});

test("a tool knows its call id, and may modify its arguments", async () => {
  const { model } = await scriptedClaude([
    { toolCalls: [{ id: "toolu_7", name: "eat", arguments: { food: ["a", "b"] } }] },
    say("Good."),
  ]);
  let id = "";
  const eat = defineTool({
    name: "eat",
    description: "Eats.",
    parameters: {
      type: "object",
      properties: { food: { type: "array", items: { type: "string" } } },
      required: ["food"],
    },
    execute({ food }, context) {
      id = context.toolCallId;
      food.length = 0;
      return "eaten";
    },
  });
  const harness = new Harness({ model }, [eat]);
  await harness.prompt("Eat");
  expect(id).toBe("toolu_7");
  expect(harness.conversation[1]).toMatchObject({
    toolCalls: [{ arguments: { food: ["a", "b"] } }],
  });
});

function fail(error: Error): () => never {
  return () => {
    throw error;
  };
}

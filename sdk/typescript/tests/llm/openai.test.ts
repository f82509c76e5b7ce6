import { describe, expect, test } from "vitest";
import { openaiCompatible } from "../../src/llm/index.js";
import { OpenaiAnswer } from "../../src/llm/openai/answer.js";
import { ModelServer } from "./support/model-server.js";
import { ask, openaiAt, shell } from "./support/models.js";

describe("OpenAI-compatible", () => {
  test("the conversation in the format of chat completions", async () => {
    await using server = await ModelServer.start([{ text: "ok" }]);
    await openaiAt(server).run({
      system: "Be brief.",
      tools: [shell],
      messages: [
        { role: "user", content: "go" },
        {
          role: "assistant",
          content: "",
          toolCalls: [{ id: "a", name: "shell", arguments: { command: "ls" } }],
        },
        { role: "tool_result", toolCallId: "a", content: "no such file", isError: true },
        { role: "assistant", content: "Hm.", toolCalls: [] },
      ],
    });
    expect(server.requests[0]?.headers.authorization).toBe("Bearer test-key");
    expect(server.requests[0]?.body.messages).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: "go" },
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: "a", type: "function", function: { name: "shell", arguments: '{"command":"ls"}' } },
        ],
      },
      { role: "tool", tool_call_id: "a", content: "Error: no such file" },
      { role: "assistant", content: "Hm." },
    ]);
  });

  test("a server on this machine needs no key", async () => {
    await using server = await ModelServer.start([{ text: "hi" }]);
    const model = openaiCompatible({ baseUrl: server.openaiUrl, model: "llama" });
    expect((await model.run(ask("hello"))).content).toBe("hi");
  });

  test("thinking that led to a tool call is sent back in the same field", async () => {
    await using server = await ModelServer.start([
      { thinking: "Look.", toolCalls: [{ id: "a", name: "shell", arguments: {} }] },
      { text: "ok" },
    ]);
    const model = openaiAt(server);
    const { message } = await model.run(ask("go"));
    const done = { role: "tool_result", toolCallId: "a", content: "", isError: false } as const;
    await model.run({ messages: [{ role: "user", content: "go" }, message, done] });
    expect(server.requests[1]?.body.messages[1]).toMatchObject({ reasoning_content: "Look." });
  });

  test("calls without an index, without an id, and the same thinking in two fields", () => {
    const answer = new OpenaiAnswer();
    const chunk = (delta: object) =>
      answer.add({ model: "m", choices: [{ delta, finish_reason: null }] } as never);
    chunk({ reasoning: "hm", reasoning_content: "hm" });
    chunk({ tool_calls: [{ id: "a", function: { name: "one", arguments: "{}" } }] });
    chunk({ tool_calls: [{ id: "b", function: { name: "two", arguments: '{"x"' } }] });
    chunk({ tool_calls: [{ function: { arguments: ":1}" } }] });
    chunk({ tool_calls: [{ index: 2, function: { name: "three", arguments: "{}" } }] });
    answer.end();
    expect(answer.reasoning).toBe("hm");
    expect(answer.toolCalls).toEqual([
      { id: "a", name: "one", arguments: {} },
      { id: "b", name: "two", arguments: { x: 1 } },
      { id: expect.stringMatching(/^call_/), name: "three", arguments: {} },
    ]);
  });
});

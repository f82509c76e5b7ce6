import { describe, expect, test } from "vitest";
import type { Block, Message } from "../../src/llm/index.js";
import { ModelServer } from "./support/model-server.js";
import { ask, PROVIDERS, shell } from "./support/models.js";

describe.each(PROVIDERS)("$name", ({ modelAt }) => {
  test("Model interface: a request's own maxTokens and temperature take precedence", async () => {
    await using server = await ModelServer.start([{ text: "a" }, { text: "b" }]);
    const model = modelAt(server, { maxTokens: 100, temperature: 0.5 });
    await model.run(ask("hello"));
    await model.run(ask("hello", { maxTokens: 7, temperature: 0 }));
    const sent = server.requests.map(({ body }) => [body.max_tokens, body.temperature]);
    expect(sent).toEqual([
      [100, 0.5],
      [7, 0],
    ]);
  });

  test("Model interface: the default is 4096 tokens and the provider's temperature", async () => {
    await using server = await ModelServer.start([{ text: "a" }]);
    await modelAt(server).run(ask("hello"));
    expect(server.requests[0]?.body).toMatchObject({ max_tokens: 4096, stream: true });
    expect(server.requests[0]?.body).not.toHaveProperty("temperature");
  });

  test("Responses: text, several tool calls split over many chunks, and the stop reason", async () => {
    await using server = await ModelServer.start([
      {
        thinking: "What is there? Let me look.",
        text: "Größe 😀 of the files:",
        toolCalls: [
          { id: "one", name: "shell", arguments: { command: "ls -la /tmp && echo 'ö😀'" } },
          { id: "two", name: "shell", arguments: { command: 'printf "%s\\n" "a b"' } },
        ],
      },
    ]);
    const blocks: Block[] = [];
    const response = await modelAt(server).run(
      ask("hello", { tools: [shell], onBlock: (block) => blocks.push(block) }),
    );
    const calls = [
      { id: "one", name: "shell", arguments: { command: "ls -la /tmp && echo 'ö😀'" } },
      { id: "two", name: "shell", arguments: { command: 'printf "%s\\n" "a b"' } },
    ];
    expect(response).toMatchObject({
      content: "Größe 😀 of the files:",
      reasoning: "What is there? Let me look.",
      toolCalls: calls,
      stopReason: "tool_use",
    });
    expect(blocks).toEqual([
      { type: "reasoning", text: "What is there? Let me look." },
      { type: "text", text: "Größe 😀 of the files:" },
      { type: "toolCall", call: calls[0] },
      { type: "toolCall", call: calls[1] },
    ]);
  });

  test("Responses: stop reasons", async () => {
    await using server = await ModelServer.start([
      { text: "done" },
      { text: "cut off", stopReason: "max_tokens" },
      { toolCalls: [{ name: "shell", arguments: {} }] },
    ]);
    const model = modelAt(server);
    const reasons = [];
    for (let i = 0; i < 3; i++) reasons.push((await model.run(ask("go"))).stopReason);
    expect(reasons).toEqual(["complete", "max_tokens", "tool_use"]);
  });

  test("Responses: arguments that aren't a JSON object are marked invalid", async () => {
    await using server = await ModelServer.start([
      {
        toolCalls: [
          { name: "shell", arguments: '{"command": "ls' },
          { name: "shell", arguments: "[1]" },
          { name: "shell", arguments: "" },
        ],
      },
    ]);
    const { toolCalls } = await modelAt(server).run(ask("go"));
    expect(toolCalls.map((call) => [call.arguments, call.invalid])).toEqual([
      [{}, expect.stringContaining("aren't valid JSON")],
      [{}, "the arguments aren't a JSON object"],
      [{}, undefined],
    ]);
  });

  test("Tools: name, description and schema are sent", async () => {
    await using server = await ModelServer.start([{ text: "ok" }]);
    await modelAt(server).run(ask("go", { tools: [shell] }));
    const [tool] = server.requests[0]?.body.tools ?? [];
    const { name, description, input_schema, parameters } = tool.function ?? tool;
    expect({ name, description, schema: input_schema ?? parameters }).toEqual({
      name: "shell",
      description: "Runs a command.",
      schema: shell.parameters,
    });
  });

  test("Conversation: a turn is sent back with its calls, then the tool results", async () => {
    await using server = await ModelServer.start([
      { text: "Looking.", toolCalls: [{ id: "c1", name: "shell", arguments: { command: "ls" } }] },
      { text: "There is a.txt." },
    ]);
    const model = modelAt(server);
    const messages: Message[] = [{ role: "user", content: "What is there?" }];
    const first = await model.run({ messages, tools: [shell] });
    messages.push(first.message, {
      role: "tool_result",
      toolCallId: "c1",
      content: "a.txt",
      isError: false,
    });
    const second = await model.run({ messages, tools: [shell] });
    expect(second).toMatchObject({ content: "There is a.txt.", stopReason: "complete" });
    const sent = JSON.stringify(server.requests[1]?.body.messages);
    for (const part of ["What is there?", "Looking.", "c1", "ls", "a.txt"]) {
      expect(sent).toContain(part);
    }
  });

  test("Conversation: nothing is kept between calls", async () => {
    await using server = await ModelServer.start([{ text: "a" }, { text: "b" }]);
    const model = modelAt(server);
    await model.run(ask("one"));
    await model.run(ask("two"));
    expect(server.requests[1]?.body.messages).toHaveLength(1);
  });

  test("a listener that throws ends the call without a retry", async () => {
    await using server = await ModelServer.start([{ text: "a" }]);
    const onBlock = () => {
      throw new Error("no room");
    };
    await expect(modelAt(server).run(ask("go", { onBlock }))).rejects.toMatchObject({
      kind: "invalid",
      message: "onBlock failed: Error: no room",
    });
    expect(server.requests).toHaveLength(1);
  });
});

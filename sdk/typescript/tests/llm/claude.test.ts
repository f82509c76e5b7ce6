import { describe, expect, test } from "vitest";
import type { Message } from "../../src/llm/index.js";
import { ModelServer } from "./support/model-server.js";
import { ask, claudeAt, errorOf, shell } from "./support/models.js";

const result = (toolCallId: string, content: string): Message => ({
  role: "tool_result",
  toolCallId,
  content,
  isError: false,
});

/** Two turns that think and call a tool, with their results. */
async function twoTurns(server: ModelServer) {
  const model = claudeAt(server);
  const messages: Message[] = [{ role: "user", content: "go" }];
  for (const [call, output] of [
    ["c1", "a long output"],
    ["c2", "ok"],
  ] as const) {
    messages.push((await model.run({ messages })).message, result(call, output));
  }
  return { model, messages };
}

const turns = [
  { thinking: "first", toolCalls: [{ id: "c1", name: "shell", arguments: {} }] },
  { thinking: "second", toolCalls: [{ id: "c2", name: "shell", arguments: {} }] },
  { text: "done" },
  { text: "done" },
  { text: "done" },
];

describe("Claude", () => {
  test("calls the default model with the key, and requests a summary of its thinking", async () => {
    await using server = await ModelServer.start([{ text: "hi" }]);
    const model = claudeAt(server);
    expect(model).toMatchObject({ name: "claude-sonnet-5-5", contextTokens: 1_000_000 });
    await model.run(ask("hello"));
    expect(server.requests[0]?.headers.authorization).toBe("Bearer test-key");
    expect(server.requests[0]?.body).toMatchObject({
      model: "claude-sonnet-5-5",
      thinking: { type: "adaptive", display: "summarized" },
    });
  });

  test("thinking: a budget for models that support one, nothing for an unknown model", async () => {
    await using server = await ModelServer.start([{ text: "a" }, { text: "b" }]);
    await claudeAt(server, { thinkingTokens: 2048 }).run(ask("hello"));
    await claudeAt(server, { model: "claude-of-tomorrow" }).run(ask("hello"));
    expect(server.requests[0]?.body.thinking).toEqual({ type: "enabled", budget_tokens: 2048 });
    expect(server.requests[1]?.body).not.toHaveProperty("thinking");
  });

  test("a temperature is sent with the older API version, which supports it", async () => {
    await using server = await ModelServer.start([{ text: "a" }, { text: "b" }]);
    await claudeAt(server).run(ask("hello"));
    await claudeAt(server, { temperature: 0 }).run(ask("hello"));
    const versions = server.requests.map(({ headers }) => headers["anthropic-version"]);
    expect(versions).toEqual([expect.not.stringContaining("2023"), "2023-06-01"]);
  });

  test("caching: the tools, the system prompt and the last message are marked", async () => {
    await using server = await ModelServer.start(turns);
    const { model, messages } = await twoTurns(server);
    await model.run({ messages, system: "Be brief.", tools: [shell, { ...shell, name: "other" }] });
    const { body } = server.requests[2] ?? {};
    expect(body.tools.map((tool: object) => "cache_control" in tool)).toEqual([false, true]);
    expect(body.system).toEqual([
      { type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } },
    ]);
    expect(body.messages.at(-1).content.at(-1)).toMatchObject({
      type: "tool_result",
      cache_control: { type: "ephemeral" },
    });
    expect(JSON.stringify(body).match(/cache_control/g)).toHaveLength(3);
  });

  test("results of one turn's tools are sent in one message, with errors marked", async () => {
    await using server = await ModelServer.start([{ text: "ok" }]);
    const calls = ["a", "b"].map((id) => ({ id, name: "shell", arguments: {} }));
    await claudeAt(server).run({
      messages: [
        { role: "user", content: "go" },
        { role: "assistant", content: "", toolCalls: calls },
        result("a", "fine"),
        { role: "tool_result", toolCallId: "b", content: "broken", isError: true },
        { role: "user", content: "go on" },
      ],
    });
    expect(server.requests[0]?.body.messages).toEqual([
      { role: "user", content: [{ type: "text", text: "go" }] },
      {
        role: "assistant",
        content: calls.map(({ id, name }) => ({ type: "tool_use", id, name, input: {} })),
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "a", content: "fine" },
          { type: "tool_result", tool_use_id: "b", content: "broken", is_error: true },
          { type: "text", text: "go on", cache_control: { type: "ephemeral" } },
        ],
      },
    ]);
  });

  test("thinking is sent back unchanged, with its signature", async () => {
    await using server = await ModelServer.start(turns);
    const { model, messages } = await twoTurns(server);
    await model.run({ messages });
    const sent = server.requests[2]?.body.messages;
    expect(sent[1].content[0]).toEqual({
      type: "thinking",
      thinking: "first",
      signature: "signature-1-of-5",
    });
    expect(sent[3].content[0]).toMatchObject({ type: "thinking", thinking: "second" });
  });

  test("thinking is omitted if the messages before it changed; earlier thinking stays", async () => {
    await using server = await ModelServer.start(turns);
    const { model, messages } = await twoTurns(server);
    messages[2] = result("c1", "(shortened)");
    const { message } = await model.run({ messages });
    await model.run({ messages: [...messages, message, { role: "user", content: "and?" }] });
    expect(server.requests).toHaveLength(4);
    for (const { body } of server.requests.slice(2)) {
      const types = [body.messages[1], body.messages[3]].map(({ content }) => content[0].type);
      expect(types).toEqual(["thinking", "tool_use"]);
    }
    await model.run({ messages, system: "changed" });
    expect(JSON.stringify(server.requests[4]?.body.messages)).not.toContain("signature");
  });

  test("a refusal is an error, not a response", async () => {
    await using server = await ModelServer.start([{ text: "I", stopReason: "refusal" }]);
    const error = await errorOf(claudeAt(server).run(ask("go")));
    expect(error).toMatchObject({ kind: "agent", message: "the model refused to answer" });
    expect(server.requests).toHaveLength(1);
  });
});

import { describe, expect, test } from "vitest";
import { Harness } from "../../src/harness/index.js";
import type { Message } from "../../src/llm/index.js";
import type { Script } from "../llm/support/model-server.js";
import { call, Listener, say, scriptedClaude, workTool } from "./support/model.js";

const TWO_CALLS = call(["work", { what: "a" }], ["work", { what: "b" }]);

describe("conversation state", () => {
  test("holds every turn, in order, with calls and results", async () => {
    const { model } = await scriptedClaude([
      { thinking: "Hm.", text: "Now", ...TWO_CALLS },
      say("Done"),
    ]);
    const harness = new Harness({ model }, [workTool((what) => what)]);
    await harness.prompt("Go");
    expect(harness.conversation).toMatchObject([
      { role: "user", content: "Go" },
      {
        role: "assistant",
        content: "Now",
        reasoning: "Hm.",
        toolCalls: [{ id: "toolu_1_1", name: "work", arguments: { what: "a" } }, {}],
      },
      { role: "tool_result", toolCallId: "toolu_1_1", content: "a", isError: false },
      { role: "tool_result", toolCallId: "toolu_1_2", content: "b", isError: false },
      { role: "assistant", content: "Done", toolCalls: [] },
    ]);
  });

  test("is append-only and frozen", async () => {
    const { model } = await scriptedClaude([TWO_CALLS, say("Done"), say("Yes")]);
    const harness = new Harness({ model }, [workTool((what) => what)]);
    await harness.prompt("Go");
    const before = harness.conversation;
    const copy = structuredClone(before);
    expect(() => (before as Message[]).pop()).toThrow(TypeError);
    expect(() => Object.assign(before[0] as Message, { content: "Stop" })).toThrow(TypeError);
    const turn = before[1] as Message & { role: "assistant" };
    expect(() => Object.assign(turn.toolCalls[0]?.arguments ?? {}, { what: "c" })).toThrow();
    await harness.prompt("Really?");
    expect(before).toEqual(copy);
    expect(harness.conversation.slice(0, before.length)).toEqual(before);
    expect(harness.conversation).toHaveLength(before.length + 2);
  });

  test("`fit` decides what is sent, without changing the conversation", async () => {
    const { server, model } = await scriptedClaude([say("One"), say("Two")]);
    const harness = new Harness({ model, fit: (messages) => messages.slice(-1) });
    await harness.prompt("First");
    await harness.prompt("Second");
    expect(server.requests[1]?.body.messages).toHaveLength(1);
    expect(harness.conversation).toHaveLength(4);
  });

  test("an empty response is kept as a valid turn", async () => {
    const { server, model } = await scriptedClaude([{}, say("Hi")]);
    const harness = new Harness({ model });
    expect(await harness.prompt("Hello")).toMatchObject({ reason: "complete", text: "" });
    expect(await harness.prompt("Hello?")).toMatchObject({ text: "Hi" });
    expectValid(server.requests[1]?.body.messages);
  });
});

/** Each ends the first prompt differently. The next request has to be valid. */
const BROKEN: [string, Script, (harness: Harness, listener: Listener) => Promise<void>][] = [
  ["an error in the first call", [{ status: 401 }, say("Again")], async () => {}],
  ["an error after a tool", [TWO_CALLS, { status: 400 }, say("Again")], async () => {}],
  [
    "cancelling a call",
    [{ thinking: "Hm.", text: "Long", fault: { type: "stall", afterEvents: 6 } }, say("Again")],
    async (harness, listener) => {
      await listener.until("reasoning Hm.");
      harness.cancel();
    },
  ],
  [
    "cancelling the second of three tools",
    [
      call(["work", { what: "a" }], ["work", { what: "hang" }], ["work", { what: "c" }]),
      say("Again"),
    ],
    async (harness, listener) => {
      await listener.until("toolResult toolu_1_1 work a false");
      harness.cancel();
    },
  ],
  [
    "max turns",
    (request) => (request.number <= 3 ? call(["work", { what: "a" }]) : say("Again")),
    async () => {},
  ],
];

describe("can be continued after", () => {
  test.each(BROKEN)("%s", async (_name, script, interrupt) => {
    const { server, model } = await scriptedClaude(script);
    const listener = new Listener();
    const work = workTool((what) => (what === "hang" ? new Promise(() => {}) : what));
    const harness = new Harness({ model, maxTurns: 3 }, [work], listener);
    const first = harness.prompt("Go").catch((error) => error);
    await interrupt(harness, listener);
    await first;
    const calls = server.requests.length;
    expect(await harness.prompt("Go on")).toMatchObject({ reason: "complete", text: "Again" });
    expectValid(server.requests[calls]?.body.messages);
    expect(harness.conversation.at(-3)).toMatchObject({
      role: "assistant",
      content: expect.stringMatching(/^\[.*\.\]$/),
    });
  });

  test("a cancelled tool and those after it get results that say so, and events", async () => {
    const { model } = await scriptedClaude([TWO_CALLS]);
    const listener = new Listener();
    const harness = new Harness({ model }, [workTool(() => new Promise(() => {}))], listener);
    const prompt = harness.prompt("Go");
    await listener.until("status running_tool running work work");
    harness.cancel();
    await expect(prompt).rejects.toThrow("cancelled");
    expect(harness.conversation.slice(2)).toMatchObject([
      { role: "tool_result", content: "Cancelled.", isError: true },
      { role: "tool_result", content: "Cancelled.", isError: true },
      { role: "assistant", content: "[Cancelled.]" },
    ]);
    expect(listener.lines.slice(-3)).toEqual([
      "toolResult toolu_1_1 work Cancelled. true",
      "toolResult toolu_1_2 work Cancelled. true",
      "status idle",
    ]);
  });
});

interface WireMessage {
  role: string;
  content: string | { type: string; id?: string; tool_use_id?: string; text?: string }[];
}

/** What Anthropic's API and stricter servers require. */
function expectValid(messages: WireMessage[] = []): void {
  expect(messages).not.toEqual([]);
  const roles = messages.map(({ role }) => role);
  expect(roles).toEqual(roles.map((_, at) => (at % 2 === 0 ? "user" : "assistant")));
  const blocks = messages.map(({ content }) =>
    typeof content === "string" ? [{ type: "text", text: content }] : content,
  );
  for (const [at, list] of blocks.entries()) {
    expect(list.length).toBeGreaterThan(0);
    for (const block of list) if (block.type === "text") expect(block.text?.trim()).toBeTruthy();
    const called = list.filter(({ type }) => type === "tool_use").map(({ id }) => id);
    const answered = (blocks[at + 1] ?? []).filter(({ type }) => type === "tool_result");
    expect(answered.map(({ tool_use_id }) => tool_use_id)).toEqual(called);
  }
}

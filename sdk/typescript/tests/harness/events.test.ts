import { describe, expect, test, vi } from "vitest";
import { Harness } from "../../src/harness/index.js";
import { openaiCompatible } from "../../src/llm/index.js";
import { call, Listener, say, scriptedClaude, workTool } from "./support/model.js";

const TURNS = [
  { thinking: "A file, it seems.", text: "I'll read it.", ...call(["work", { what: "read" }]) },
  say("It is empty."),
];

describe("events", () => {
  test("each once, in order, from prompt to idle", async () => {
    const { model } = await scriptedClaude(TURNS);
    const listener = new Listener();
    await new Harness({ model }, [workTool(() => "nothing")], listener).prompt("What is in it?");
    expect(listener.lines).toEqual([
      "user What is in it?",
      "status thinking turn 1",
      "reasoning A file, it seems.",
      "text I'll read it.",
      'toolCall toolu_1_1 work {"what":"read"}',
      "status running_tool running work work",
      "toolResult toolu_1_1 work nothing false",
      "status thinking turn 2",
      "text It is empty.",
      "status idle",
    ]);
  });

  test("the same from an OpenAI-compatible server", async () => {
    const { server } = await scriptedClaude(TURNS);
    const model = openaiCompatible({ model: "m", baseUrl: server.openaiUrl, apiKey: "key" });
    const listener = new Listener();
    await new Harness({ model }, [workTool(() => "nothing")], listener).prompt("What is in it?");
    expect(listener.lines.filter((line) => !line.startsWith("status"))).toEqual([
      "user What is in it?",
      "reasoning A file, it seems.",
      "text I'll read it.",
      'toolCall call_1_1 work {"what":"read"}',
      "toolResult call_1_1 work nothing false",
      "text It is empty.",
    ]);
  });

  test("have timestamps that never decrease", async () => {
    const { model } = await scriptedClaude(TURNS);
    const listener = new Listener();
    const before = Date.now();
    await new Harness({ model }, [workTool(() => "nothing")], listener).prompt("What is in it?");
    const times = [before, ...listener.heard.map(([, { timestamp }]) => timestamp), Date.now()];
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });

  test("are emitted when their block is complete, not when the response is", async () => {
    const { model } = await scriptedClaude([
      // Stops in the middle of the text: the thinking is complete, the text isn't.
      { thinking: "Hm.", text: "Never complete", fault: { type: "stall", afterEvents: 8 } },
    ]);
    const listener = new Listener();
    const harness = new Harness({ model }, [], listener);
    const prompt = harness.prompt("Go");
    await listener.until("reasoning Hm.");
    harness.cancel();
    await expect(prompt).rejects.toThrow("cancelled");
    expect(listener.lines).toEqual([
      "user Go",
      "status thinking turn 1",
      "reasoning Hm.",
      "status idle",
    ]);
  });

  test("a retry is reported; blocks of the broken response are discarded", async () => {
    const { model } = await scriptedClaude([
      { thinking: "Hm.", text: "Broken", fault: { type: "cut", afterEvents: 8 } },
      { status: 529 },
      say("Whole"),
    ]);
    const listener = new Listener();
    const end = await new Harness({ model }, [], listener).prompt("Go");
    expect(end).toMatchObject({ text: "Whole", turns: 1 });
    expect(listener.lines.map((line) => line.replace(/ in \S+ s: .*/, ""))).toEqual([
      "user Go",
      "status thinking turn 1",
      "reasoning Hm.",
      "status retrying attempt 2",
      "status retrying attempt 3",
      "text Whole",
      "status idle",
    ]);
  });

  test("also from a model that doesn't stream", async () => {
    const { model } = await scriptedClaude(TURNS);
    const quiet = {
      ...model,
      run: (request: Parameters<typeof model.run>[0]) => {
        const { onBlock: _, ...rest } = request;
        return model.run(rest);
      },
    };
    const listener = new Listener();
    await new Harness({ model: quiet }, [workTool(() => "nothing")], listener).prompt("Go");
    expect(listener.lines.filter((line) => !line.startsWith("status"))).toEqual([
      "user Go",
      "reasoning A file, it seems.",
      "text I'll read it.",
      'toolCall toolu_1_1 work {"what":"read"}',
      "toolResult toolu_1_1 work nothing false",
      "text It is empty.",
    ]);
  });
});

describe("the handler", () => {
  test.each([
    ["none", undefined],
    ["null", null],
    ["an empty one", {}],
  ])("is optional: %s", async (_name, handler) => {
    const { model } = await scriptedClaude(TURNS);
    const end = await new Harness({ model }, [workTool(() => "nothing")], handler).prompt("Go");
    expect(end.text).toBe("It is empty.");
  });

  test("can fail at every event without breaking the loop", async () => {
    const { model } = await scriptedClaude(TURNS);
    const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    try {
      const fail = () => {
        throw new Error("broken handler");
      };
      const failLater = (async () => fail()) as () => never;
      const handler = {
        user: fail,
        reasoning: failLater,
        text: fail,
        toolCall: fail,
        toolResult: failLater,
        status: fail,
      };
      const end = await new Harness({ model }, [workTool(() => "nothing")], handler).prompt("Go");
      expect(end).toMatchObject({ reason: "complete", text: "It is empty." });
      const lines = written.mock.calls.map(([text]) => String(text).split("\n")[0]);
      expect(lines).toContain("[term-sdk] the text handler failed: Error: broken handler");
      expect(lines).toContain("[term-sdk] the toolResult handler failed: Error: broken handler");
      expect(lines).toHaveLength(10);
    } finally {
      written.mockRestore();
    }
  });

  test("can be an object with methods that use `this`", async () => {
    class Counter {
      texts = 0;
      text() {
        this.texts++;
      }
    }
    const { model } = await scriptedClaude(TURNS);
    const counter = new Counter();
    await new Harness({ model }, [workTool(() => "nothing")], counter).prompt("Go");
    expect(counter.texts).toBe(2);
  });

  test("can't change the conversation through its events", async () => {
    const { model } = await scriptedClaude(TURNS);
    const work = workTool((what) => what);
    const harness = new Harness({ model }, [work], {
      toolCall: (event) => Object.assign(event.arguments, { what: "write" }),
    });
    await harness.prompt("Go");
    expect(harness.conversation[2]).toMatchObject({ content: "read" });
  });
});

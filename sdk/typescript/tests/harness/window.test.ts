import { describe, expect, test } from "vitest";
import { llmAgent } from "../../src/harness/index.js";
import { truncateMiddle } from "../../src/harness/truncate.js";
import { ContextWindow } from "../../src/harness/window.js";
import type { Message } from "../../src/llm/index.js";
import { drive, scripted } from "../../src/testing/index.js";
import { call, scriptedClaude } from "./support/model.js";

describe("truncateMiddle", () => {
  test.each([
    ["short", 5, "short"],
    ["abcdefghij", 4, "ab\n[6 of 10 characters omitted here]\nij"],
    ["abcdefghij", 5, "abc\n[5 of 10 characters omitted here]\nij"],
    ["😀😀😀😀", 6, "😀\n[4 of 8 characters omitted here]\n😀"],
    ["😀".repeat(100), 1, "\n[200 of 200 characters omitted here]\n"],
  ])("%j to %d", (text, limit, expected) => {
    expect(truncateMiddle(text, limit, "")).toBe(expected);
  });
});

/** Steps with `chars` characters of output each. */
function steps(count: number, chars: number): Message[] {
  const messages: Message[] = [{ role: "user", content: "i".repeat(500) }];
  for (let step = 1; step <= count; step++) {
    const id = `call_${step}`;
    messages.push(
      {
        role: "assistant",
        content: `step ${step}`,
        toolCalls: [{ id, name: "shell", arguments: { command: "c".repeat(100) } }],
      },
      {
        role: "tool_result",
        toolCallId: id,
        content: `${step} `.padEnd(chars, "o"),
        isError: false,
      },
    );
  }
  return messages;
}

const lengths = (messages: readonly Message[]) =>
  messages.filter(({ role }) => role === "tool_result").map(({ content }) => content.length);

describe("the window", () => {
  test("what fits is sent as it is", () => {
    const messages = steps(10, 3000);
    expect(new ContextWindow(20_000).fit(messages)).toEqual(messages);
    expect(new ContextWindow(Number.POSITIVE_INFINITY).fit(messages)).toEqual(messages);
  });

  test("the oldest results are shortened first, with a margin, and say so", () => {
    const messages = steps(10, 3000);
    // About 31,600 characters, 3 of them a token: too much for 10,000, and 6,000 is the aim.
    const view = new ContextWindow(10_000).fit(messages);
    expect(view).toHaveLength(messages.length);
    const short = lengths(view).filter((length) => length < 3000);
    expect(short).toHaveLength(6);
    expect(lengths(view).slice(6)).toEqual([3000, 3000, 3000, 3000]);
    expect(view[2]?.content).toMatch(
      /^1 o+\n\[2600 of 3000 characters omitted here, shortened to save space\]\no+$/,
    );
    // The instruction and the calls stay, and the original messages are unchanged.
    const rest = (list: readonly Message[]) => list.filter(({ role }) => role !== "tool_result");
    expect(rest(view)).toEqual(rest(messages));
    expect(lengths(messages)).toEqual(Array(10).fill(3000));
  });

  test("shortened results stay shortened, and nothing else changes until needed", () => {
    const window = new ContextWindow(10_000);
    const first = window.fit(steps(10, 3000));
    for (let more = 11; more <= 13; more++) {
      const view = window.fit(steps(more, 3000));
      expect(view.slice(0, first.length)).toEqual(first);
      expect(lengths(view).at(-1)).toBe(3000);
    }
    const later = lengths(window.fit(steps(16, 3000)));
    expect(later.filter((length) => length < 3000).length).toBeGreaterThan(6);
    expect(later.at(-1)).toBe(3000);
  });

  test("the newest result stays, even if it alone is too long", () => {
    const view = new ContextWindow(500).fit(steps(3, 3000));
    const [first, second, last] = lengths(view);
    expect(first).toBeLessThan(600);
    expect(second).toBeLessThan(600);
    expect(last).toBe(3000);
  });

  test("short results are left alone", () => {
    const messages = steps(10, 600);
    expect(new ContextWindow(100).fit(messages)).toEqual(messages);
  });

  test("the provider's count replaces the estimate", () => {
    const messages = steps(10, 3000);
    const dense = new ContextWindow(20_000);
    expect(lengths(dense.fit(messages))).toEqual(Array(10).fill(3000));
    // Almost one token per character: the same messages would be over the budget.
    dense.measure(25_000);
    expect(Math.min(...lengths(dense.fit(messages)))).toBeLessThan(600);

    const sparse = new ContextWindow(10_000);
    sparse.fit(steps(5, 3000));
    sparse.measure(3_000);
    // 31,600 characters: 10,500 tokens by the estimate alone, but 8,300 from the count.
    expect(sparse.fit(messages)).toEqual(messages);
  });
});

test("llmAgent truncates each output, and shortens old ones to stay within the window", async () => {
  const { server, model } = await scriptedClaude(({ number, body }) => {
    const chars = JSON.stringify(body.messages).length;
    const answer =
      number <= 12 ? call(["shell", { command: `step ${number}` }]) : call(["finish", {}]);
    return { ...answer, usage: { input: Math.ceil(chars / 3), output: 10 } };
  });
  const agent = llmAgent({ model, contextTokens: 8000, maxTokens: 1000, outputLimit: 4000 });
  const replies = Array.from({ length: 12 }, () => ({ output: "x".repeat(9000) }));
  const trial = await drive(agent, { shell: scripted(replies) });
  expect(trial.end).toBe("complete");
  const last = JSON.stringify(server.requests.at(-1)?.body.messages);
  expect(last).toContain("[5000 of 9000 characters omitted here; print less");
  expect(last).toContain("shortened to save space");
  expect(server.requests).toHaveLength(13);
  for (const { body } of server.requests) {
    expect(JSON.stringify(body.messages).length / 3).toBeLessThan(7000);
    expect(JSON.stringify(body.messages[0])).toContain("test");
  }
  // The newest output is only truncated, not shortened.
  expect(JSON.stringify(server.requests.at(-1)?.body.messages.at(-1)).length).toBeGreaterThan(4000);
});

import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import {
  type Block,
  claude,
  createModel,
  type Message,
  type Model,
  recordModel,
  replayModel,
} from "../../src/llm/index.js";
import { ModelServer } from "./support/model-server.js";
import { ask, claudeAt, errorOf, PROVIDERS, shell } from "./support/models.js";

const folder = mkdtempSync(join(tmpdir(), "term-sdk-recording-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => vi.unstubAllEnvs());

const script = [
  {
    thinking: "Look first.",
    toolCalls: [{ id: "c1", name: "shell", arguments: { command: "ls" } }],
  },
  { status: 400 },
  { text: "All done." },
];

/** Three calls, the second of which fails. */
async function converse(model: Model, output = "a.txt") {
  const messages: Message[] = [{ role: "user", content: "What is there?" }];
  const blocks: Block[] = [];
  const run = () =>
    model.run({ messages, system: "Be brief.", tools: [shell], onBlock: (b) => blocks.push(b) });
  const first = await run();
  messages.push(first.message);
  messages.push({ role: "tool_result", toolCallId: "c1", content: output, isError: false });
  const error = (await errorOf(run())) as Error;
  const last = await run();
  return { first, error: { ...error, message: error.message }, last, blocks };
}

async function recorded(name: string): Promise<string> {
  await using server = await ModelServer.start(script);
  const file = join(folder, name);
  await converse(recordModel(claudeAt(server, { apiKey: "sk-secret-key" }), file));
  return file;
}

const linesOf = (file: string) => readFileSync(file, "utf8").trimEnd().split("\n");

describe("Record and replay", () => {
  test.each(PROVIDERS)(
    "$name: the same responses, blocks and errors without a server",
    async ({ name, modelAt }) => {
      const file = join(folder, "deep", "er", `${name}.jsonl`);
      const server = await ModelServer.start(script);
      const live = await converse(modelAt(server, { record: file }));
      await server.close();
      const replayed = await converse(replayModel(file, { strict: true }));
      expect(replayed).toEqual({
        ...live,
        error: expect.objectContaining({ kind: "invalid", status: 400 }),
      });
      expect(replayed.error.message).toBe(live.error.message);
    },
  );

  test("a header with a version, then one line per call; no key, and no message twice", async () => {
    const file = await recorded("format.jsonl");
    const [header, ...calls] = linesOf(file).map((line) => JSON.parse(line));
    expect(header).toEqual({
      format: "term-sdk model recording",
      version: 1,
      model: "claude-sonnet-5-5",
      contextTokens: 1_000_000,
    });
    expect(calls.map(({ call, request }) => [call, request.sameMessages, request.tools])).toEqual([
      [1, 0, ["shell"]],
      [2, 1, ["shell"]],
      [3, 3, ["shell"]],
    ]);
    const text = readFileSync(file, "utf8");
    expect(text).not.toContain("sk-secret-key");
    expect(text.match(/What is there/g)).toHaveLength(1);
  });

  test("each call is written when it ends, and a partial last line is ignored", async () => {
    await using server = await ModelServer.start([{ text: "one" }, { text: "two" }]);
    const file = join(folder, "killed.jsonl");
    const model = recordModel(claudeAt(server), file);
    await model.run(ask("a"));
    expect(linesOf(file)).toHaveLength(2);
    appendFileSync(file, '{"call": 2, "requ');
    expect((await replayModel(file).run(ask("a"))).content).toBe("one");
  });

  test("different texts are accepted, unless it is strict", async () => {
    const file = await recorded("course.jsonl");
    expect((await converse(replayModel(file), "b.txt")).last.content).toBe("All done.");
    const error = await errorOf(converse(replayModel(file, { strict: true }), "b.txt"));
    // converse expects call 2 to fail, and call 3 to be right.
    expect(error).toMatchObject({
      kind: "invalid",
      message: `${file}: call 3 differs from the recording: the text of message 3, the result of c1, differs`,
    });
  });

  test.each<[string, Message[], string]>([
    ["a missing message", [], "message 1 is missing, recorded: a user message"],
    [
      "another role",
      [{ role: "assistant", content: "", toolCalls: [{ id: "x", name: "ls", arguments: {} }] }],
      "message 1 is a call of ls (x), recorded: a user message",
    ],
    [
      "an extra message",
      [
        { role: "user", content: "" },
        { role: "tool_result", toolCallId: "y", content: "", isError: false },
      ],
      "message 2 is the result of y, recorded: missing",
    ],
  ])("%s is reported, with the number of the call", async (_, messages, expected) => {
    const file = await recorded("different.jsonl");
    expect(await errorOf(replayModel(file).run({ messages }))).toMatchObject({
      kind: "invalid",
      message: `${file}: call 1 differs from the recording: ${expected}`,
    });
  });

  test("an extra call", async () => {
    await using server = await ModelServer.start([{ text: "one" }]);
    const file = join(folder, "short.jsonl");
    await recordModel(claudeAt(server), file).run(ask("a"));
    const model = replayModel(file);
    await model.run(ask("a"));
    expect(await errorOf(model.run(ask("a")))).toMatchObject({
      kind: "invalid",
      message: `${file}: call 2 differs from the recording: the recording ends after call 1`,
    });
  });

  test("set in the environment, with a file for each trial, and no key to replay", async () => {
    const path = join(folder, "{task}.{attempt}.jsonl");
    vi.stubEnv("TERM_TASK", "some/task");
    vi.stubEnv("TERM_ATTEMPT", "2");
    vi.stubEnv("TERM_MODEL_RECORD", path);
    await using server = await ModelServer.start([{ text: "one" }]);
    await claudeAt(server).run(ask("a"));
    expect(linesOf(join(folder, "some_task.2.jsonl"))).toHaveLength(2);
    vi.stubEnv("TERM_MODEL_RECORD", undefined);
    vi.stubEnv("ANTHROPIC_API_KEY", undefined);
    vi.stubEnv("TERM_MODEL_REPLAY", path);
    for (const model of [claude(), createModel()]) {
      expect(model.name).toBe("claude-sonnet-5-5");
      expect((await model.run(ask("a"))).content).toBe("one");
    }
  });

  test.each([
    ["", "line 1 isn't valid JSON"],
    ['{"format": "other"}\n', "not a model recording"],
    ['{"format": "term-sdk model recording", "version": 9}\n', "format version 9"],
  ])("a file with %j can't be replayed", (text, expected) => {
    const file = join(folder, "bad.jsonl");
    writeFileSync(file, text);
    expect(() => replayModel(file)).toThrow(`${file}: ${expected}`);
  });

  test("a missing file can't be replayed", () => {
    expect(() => replayModel(join(folder, "none.jsonl"))).toThrow("can't read the recording");
  });
});

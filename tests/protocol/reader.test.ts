import { describe, expect, it } from "vitest";
import { type AgentMessage, MAX_LINE_BYTES, ResponseReader } from "../../src/protocol/reader.js";

function read(...lines: string[]): AgentMessage[] {
  const reader = new ResponseReader();
  return lines.flatMap((line) => reader.feed(line));
}

const object = (value: unknown) => expect.objectContaining({ kind: "object", value });
const noise = (text: string) => ({ kind: "noise", text });

describe("ResponseReader", () => {
  it("reads one object per line and keeps its text", () => {
    expect(read('{"command":"ls"}')).toEqual([
      { kind: "object", value: { command: "ls" }, raw: '{"command":"ls"}' },
    ]);
  });

  it("treats everything that doesn't start an object as noise", () => {
    expect(read("Loading model...", "[1, 2]", "null", '"text"', '{"a":1}')).toEqual([
      noise("Loading model..."),
      noise("[1, 2]"),
      noise("null"),
      noise('"text"'),
      object({ a: 1 }),
    ]);
  });

  it("skips blank lines", () => {
    expect(read("", "   ", "\t", '  {"a":1}  ', "")).toEqual([object({ a: 1 })]);
  });

  it("skips a byte order mark", () => {
    expect(read('\uFEFF{"a":1}')).toEqual([object({ a: 1 })]);
  });

  it("joins a pretty-printed object", () => {
    const value = { command: "echo hi", data: { list: [1, { b: null }] }, text: "a\nb" };
    expect(read(...JSON.stringify(value, null, 2).split("\n"))).toEqual([object(value)]);
  });

  it("reads a pretty-printed object with blank lines in it", () => {
    expect(read("{", "", '  "a": 1', "", "}", '{"b":2}')).toEqual([
      object({ a: 1 }),
      object({ b: 2 }),
    ]);
  });

  it.each([
    ['{"a":1}{"b":2}', [object({ a: 1 }), object({ b: 2 })]],
    ['{"a":1} {"b":2}  {"c":3}', [object({ a: 1 }), object({ b: 2 }), object({ c: 3 })]],
    ['{"a":1} done', [object({ a: 1 }), noise(" done")]],
  ])("takes apart %s", (line, expected) => {
    expect(read(line)).toEqual(expected);
  });

  it("continues with an object that begins after another", () => {
    expect(read('{"a":1} {"b":', "2}")).toEqual([object({ a: 1 }), object({ b: 2 })]);
  });

  it.each([
    { command: "echo '}'" },
    { command: 'awk "{ print }" {' },
    { command: '\\" } \\\\' },
    { command: "[[ ]] }}}" },
    { command: "\u{1F600} {" },
  ])("is not misled by what a string holds: %j", (value) => {
    const pretty = JSON.stringify(value, null, 1).split("\n");
    expect(read(JSON.stringify(value))).toEqual([object(value)]);
    expect(read(...pretty)).toEqual([object(value)]);
    expect(read(`${JSON.stringify(value)}${JSON.stringify(value)}`)).toEqual([
      object(value),
      object(value),
    ]);
  });

  it("names what is wrong with a closed object that isn't JSON, and reads the next line", () => {
    const [first, second] = read("{command: ls}", '{"a":1}');
    expect(first).toMatchObject({ kind: "malformed", raw: "{command: ls}" });
    expect(first).toHaveProperty("problem", expect.stringContaining("not valid JSON"));
    expect(second).toEqual(object({ a: 1 }));
  });

  it("keeps an unclosed object until it is dropped", () => {
    const reader = new ResponseReader();
    expect(reader.unclosed).toBeNull();
    expect(reader.feed('{"command": "ls"')).toEqual([]);
    expect(reader.unclosed).toBe('{"command": "ls"');
    expect(reader.drop()).toEqual([
      { kind: "malformed", problem: "the JSON object is not closed", raw: '{"command": "ls"' },
    ]);
    expect(reader.unclosed).toBeNull();
    expect(reader.drop()).toEqual([]);
    expect(reader.feed('{"a":1}')).toEqual([object({ a: 1 })]);
  });

  it("gives up on an unclosed object that grows past the limit", () => {
    const reader = new ResponseReader();
    const part = "x".repeat(MAX_LINE_BYTES / 2);
    expect(reader.feed(`{"text": "${part}`)).toEqual([]);
    const [message] = reader.feed(part);
    expect(message).toMatchObject({
      kind: "malformed",
      problem: "the answer is longer than 10 MiB",
    });
    expect(reader.feed('{"a":1}')).toEqual([object({ a: 1 })]);
  });
});

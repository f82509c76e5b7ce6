import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import type { StepRequest } from "../../src/protocol/types.js";
import { checkResponse } from "../../src/protocol/validate.js";

function accepted(value: unknown) {
  const checked = checkResponse(value);
  if (!checked.ok) throw new Error(checked.problem);
  return checked.response;
}

function problem(value: unknown): string {
  const checked = checkResponse(value);
  if (checked.ok) throw new Error(`was accepted: ${JSON.stringify(value)}`);
  return checked.problem;
}

describe("checkResponse", () => {
  it("fills in defaults", () => {
    const defaults = { command: null, task_complete: false, text: null, data: null, extra: {} };
    expect(accepted({})).toEqual(defaults);
    expect(accepted({ command: null, text: null, data: null })).toEqual(defaults);
    expect(accepted({ command: "ls" })).toEqual({ ...defaults, command: "ls" });
    expect(accepted({ task_complete: true })).toEqual({ ...defaults, task_complete: true });
  });

  it("distinguishes an empty command from none", () => {
    expect(accepted({ command: "" }).command).toBe("");
  });

  it("keeps data and its usage as they are", () => {
    const data = { usage: { model: "m", input_tokens: 3, cost_usd: null, more: 1 }, note: [1] };
    expect(accepted({ data }).data).toEqual(data);
  });

  it("keeps unknown fields", () => {
    expect(accepted({ command: "ls", thoughts: ["a"], id: 7 }).extra).toEqual({
      thoughts: ["a"],
      id: 7,
    });
  });

  it.each([
    [{ command: 5 }, '"command" must be string or null, not 5'],
    [{ command: ["ls"] }, '"command" must be string or null, not ["ls"]'],
    [{ task_complete: "true" }, '"task_complete" must be boolean, not "true"'],
    [{ task_complete: null }, '"task_complete" must be boolean, not null'],
    [{ text: {} }, '"text" must be string or null, not {}'],
    [{ data: "x" }, '"data" must be object or null, not "x"'],
    [{ data: [1] }, '"data" must be object or null, not [1]'],
    [{ data: { usage: 3 } }, '"data.usage" must be object or null, not 3'],
    [
      { data: { usage: { input_tokens: "3" } } },
      '"data.usage.input_tokens" must be number or null, not "3"',
    ],
    [{ data: { usage: { cost_usd: -1 } } }, '"data.usage.cost_usd" must be >= 0, not -1'],
    [{ command: "a\0b" }, '"command" contains a NUL character, which no shell can run'],
    [{ command: "a\nb\0" }, '"command" contains a NUL character, which no shell can run'],
  ])("names what is wrong with %j", (value, expected) => {
    expect(problem(value)).toBe(expected);
  });

  it("shows only the start of a long wrong value", () => {
    expect(problem({ command: ["x".repeat(5_000)] }).length).toBeLessThan(150);
  });

  it.each([[null], [[]], ["text"], [3], [true]])("refuses %j", (value) => {
    expect(problem(value)).toBe("the response is not a JSON object");
  });

  it("allows newlines and any other character in a command", () => {
    const command = "cat <<'X'\n\u2028\t\x1b\u{1F600}\r\nX\n";
    expect(accepted({ command }).command).toBe(command);
  });
});

describe("checkResponse with the legacy form", () => {
  it("joins keystrokes to shell lines and keeps them as they came", () => {
    const response = accepted({
      analysis: "I see",
      plan: "I do",
      commands: [
        { keystrokes: "cd /app\n", duration: 0.1 },
        { keystrokes: "" },
        { keystrokes: "make\r\n", duration: null },
      ],
      task_complete: true,
      mood: "good",
    });
    expect(response).toEqual({
      command: "cd /app\nmake",
      task_complete: true,
      text: "I see\nI do",
      data: null,
      extra: { mood: "good" },
      legacy: [
        { keystrokes: "cd /app\n", duration: 0.1 },
        { keystrokes: "", duration: null },
        { keystrokes: "make\r\n", duration: null },
      ],
    });
  });

  it("reads an empty list of keystrokes as no command", () => {
    expect(accepted({ commands: [] })).toMatchObject({ command: null, text: null, legacy: [] });
    expect(accepted({ commands: [{ keystrokes: "\n" }] }).command).toBeNull();
  });

  it("prefers the current form when both are present", () => {
    const response = accepted({ command: "ls", commands: [{ keystrokes: "pwd\n" }] });
    expect(response.command).toBe("ls");
    expect(response.legacy).toBeUndefined();
    expect(response.extra).toEqual({ commands: [{ keystrokes: "pwd\n" }] });
  });

  it.each([
    [{ commands: [{ keystrokes: 1 }] }, '"commands.0.keystrokes" must be string, not 1'],
    [{ commands: ["ls"] }, '"commands.0" must be object, not "ls"'],
    [
      { commands: [{ keystrokes: "ok" }, { keystrokes: "\0" }] },
      '"commands.1.keystrokes" contains a NUL character, which no shell can run',
    ],
    [{ commands: [], plan: 5 }, '"plan" must be string or null, not 5'],
  ])("names what is wrong with %j", (value, expected) => {
    expect(problem(value)).toBe(expected);
  });

  it("names a missing field", () => {
    expect(problem({ commands: [{ duration: 1 }] })).toContain("keystrokes");
  });
});

describe("the request schema", () => {
  const url = new URL("../../src/protocol/schemas/request.schema.json", import.meta.url);
  const fits = new Ajv({ allowUnionTypes: true }).compile(JSON.parse(readFileSync(url, "utf8")));
  const first: StepRequest = {
    instruction: "Do it",
    step: 1,
    last_command: null,
    output: null,
    exit_code: null,
    cwd: "/app",
  };

  it("fits the first request, a later one, and a second chance", () => {
    expect(fits(first)).toBe(true);
    expect(fits({ ...first, step: 2, last_command: "ls", output: "", exit_code: 0 })).toBe(true);
    expect(fits({ ...first, error: "not valid JSON" })).toBe(true);
  });

  it.each(Object.keys(first))("requires %s", (field) => {
    const { [field as keyof StepRequest]: _, ...rest } = first;
    expect(fits(rest)).toBe(false);
  });

  it.each([
    { step: 0 },
    { step: 1.5 },
    { step: "1" },
    { exit_code: "0" },
    { cwd: null },
    { instruction: null },
    { error: null },
    { unknown: 1 },
  ])("refuses %j", (change) => {
    expect(fits({ ...first, ...change })).toBe(false);
  });
});

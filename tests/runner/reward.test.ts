import { describe, expect, it } from "vitest";
import { parseRewardJson, parseRewardText, readReward } from "../../src/runner/reward.js";

describe("parseRewardText", () => {
  it.each([
    ["1", 1],
    ["0", 0],
    ["1\n", 1],
    ["  0.5\r\n", 0.5],
    [".25", 0.25],
    ["1.", 1],
    ["+1", 1],
    ["-0", -0],
    ["5e-1", 0.5],
    ["1E-3", 0.001],
    ["7", 7],
    ["-0.1", -0.1],
  ])("reads %j", (text, reward) => {
    expect(parseRewardText(text)).toEqual({ ok: true, reward, rewards: { reward } });
  });

  it.each([
    ["", "is empty"],
    ["  \n", "is empty"],
    ["NaN", "not a number"],
    ["nan", "not a number"],
    ["Infinity", "not a number"],
    ["-inf", "not a number"],
    ["true", "not a number"],
    ["passed", "not a number"],
    ["1 passed", "not a number"],
    ["1\n0", "not a number"],
    ["0,5", "not a number"],
    ["0x1", "not a number"],
    ["1/2", "not a number"],
    ["50%", "not a number"],
    [".", "not a number"],
    ["e1", "not a number"],
    ["1e999", "not a finite number"],
  ])("refuses %j", (text, why) => {
    const reward = parseRewardText(text);
    expect(reward).toEqual({ ok: false, problem: expect.stringContaining(why) });
  });

  it("shows the file's content, but not all of a long one", () => {
    expect(parseRewardText("passed")).toHaveProperty("problem", expect.stringContaining("passed"));
    const long = parseRewardText("x".repeat(10_000));
    expect(long.ok ? "" : long.problem).toMatch(/^.{20,200}$/);
  });
});

describe("parseRewardJson", () => {
  it.each([
    ["1", 1, { reward: 1 }],
    ["0.5", 0.5, { reward: 0.5 }],
    ['{"reward": 0.5}', 0.5, { reward: 0.5 }],
    ['{"accuracy": 0.25}', 0.25, { accuracy: 0.25 }],
    ['{"reward": true, "style": "0.5"}', 1, { reward: 1, style: 0.5 }],
    ['{"reward": -1, "speed": 30}', -1, { reward: -1, speed: 30 }],
    ['{"a": 0, "b": 1}', 0.5, { a: 0, b: 1 }],
    ['{"a": 1, "reward": 0, "b": 1}', 0, { a: 1, reward: 0, b: 1 }],
  ])("reads %s", (text, reward, rewards) => {
    expect(parseRewardJson(text)).toEqual({ ok: true, reward, rewards });
  });

  it.each([
    ["", "is empty"],
    ["{", "not valid JSON"],
    ["NaN", "not valid JSON"],
    ['{"reward": NaN}', "not valid JSON"],
    ["{}", "no entries"],
    ["[1]", "not an object of numbers"],
    ["null", "not an object of numbers"],
    ['"1"', "not an object of numbers"],
    ["true", "not an object of numbers"],
    ['{"reward": "one"}', '"reward" is not a number'],
    ['{"reward": ""}', '"reward" is not a number'],
    ['{"reward": "NaN"}', '"reward" is not a number'],
    ['{"reward": null}', '"reward" is not a number'],
    ['{"reward": 1, "more": {}}', '"more" is not a number'],
    ['{"reward": 1e999}', '"reward" is not a finite number'],
    ['{"reward": 1, "speed": -1e999}', '"speed" is not a finite number'],
  ])("refuses %s", (text, why) => {
    const reward = parseRewardJson(text);
    expect(reward).toEqual({ ok: false, problem: expect.stringContaining(why) });
  });
});

describe("readReward", () => {
  const bytes = (text: string) => Buffer.from(text);

  it("gives null when there is no file", () => {
    expect(readReward({})).toBeNull();
  });

  it("prefers reward.json to reward.txt", () => {
    const files = { "reward.txt": bytes("0\n"), "reward.json": bytes('{"reward": 0.75}') };
    expect(readReward(files)).toMatchObject({ ok: true, reward: 0.75 });
  });

  it("does not ignore a broken file", () => {
    expect(readReward({ "reward.txt": bytes("") })).toMatchObject({ ok: false });
    const files = { "reward.txt": bytes("1"), "reward.json": bytes("oops") };
    expect(readReward(files)).toMatchObject({ ok: false });
  });

  it("does not read a file that no honest verifier writes", () => {
    const problem = "reward.txt is larger than 1 MiB";
    expect(readReward({ "reward.txt": "too large" })).toEqual({ ok: false, problem });
    expect(readReward({ "reward.txt": Buffer.alloc(2 ** 21, "1") })).toEqual({
      ok: false,
      problem,
    });
  });
});

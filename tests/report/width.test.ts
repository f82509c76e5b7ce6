import { expect, test } from "vitest";
import { cutToWidth, measureWidth, padToWidth } from "../../src/report/width.js";

test.each([
  ["", 0],
  ["abc", 3],
  ["日本", 4],
  ["👩", 2],
  ["e\u0301", 1],
  ["✓ ↵ ␛ …", 7],
])("%j is %i wide", (text, width) => {
  expect(measureWidth(text)).toBe(width);
});

test.each([
  ["abc", 3, "abc"],
  ["abcd", 3, "ab…"],
  ["abc", 1, "…"],
  ["abc", 0, ""],
  ["abc", -5, ""],
  ["日本語", 6, "日本語"],
  ["日本語", 5, "日本…"],
  ["日本語", 4, "日…"],
  ["日本語", 2, "…"],
  ["e\u0301e\u0301e\u0301", 2, "e\u0301…"],
  ["a👩b", 3, "a…"],
  ["a👩b", 4, "a👩b"],
])("%j in %i columns is %j", (text, width, cut) => {
  expect(cutToWidth(text, width)).toBe(cut);
});

test("padding counts columns", () => {
  expect(padToWidth("日本", 6)).toBe("日本  ");
  expect(padToWidth("abc", 2)).toBe("abc");
});

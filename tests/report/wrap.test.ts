import { expect, test } from "vitest";
import { wrapText } from "../../src/report/wrap.js";

test("lines end between words, and wide characters count twice", () => {
  expect(wrapText("one two three four five six seven eight", 30)).toEqual([
    "one two three four five six",
    "seven eight",
  ]);
  expect(wrapText(`${"日本 ".repeat(8)}end`, 30)).toEqual([
    "日本 日本 日本 日本 日本 日本",
    "日本 日本 end",
  ]);
});

test("a long word stays whole, and a narrow screen gets lines that can still be read", () => {
  const path = `/${"x".repeat(50)}`;
  expect(wrapText(`see ${path} there`, 40)).toEqual(["see", path, "there"]);
  expect(wrapText("one two three four five", 5)).toEqual(["one two three four five"]);
});

test("a blank text is one blank line", () => {
  expect(wrapText("", 40)).toEqual([""]);
});

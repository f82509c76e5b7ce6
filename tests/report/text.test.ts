import { describe, expect, test } from "vitest";
import { cleanLastLine, cleanLine, cleanLines, showControls } from "../../src/report/text.js";

describe("a command is shown completely and has no effect on the terminal", () => {
  test.each([
    ["plain", "ls -la | wc -l", "ls -la | wc -l"],
    ["heredoc", "cat > a <<E\n\tx\r\nE\n", "cat > a <<E↵ x↵E"],
    ["colours and cursor moves", "\u001b[31mred\u001b[2J\u001b[H", "␛[31mred␛[2J␛[H"],
    ["a window title", "\u001b]0;title\u0007", "␛]0;title␇"],
    ["backspaces", "rm -rf /\b\b\bls", "rm -rf /␈␈␈ls"],
    ["NUL and DEL", "a\0b\u007f", "a␀b␡"],
    ["8-bit escapes", "\u009b31mred", "\ufffd31mred"],
    ["text turned round", "a\u202eb\u2066c", "a\ufffdb\ufffdc"],
    ["line separators", "a\u2028b\u2029c\u0085d", "a↵b↵c↵d"],
    ["half a character", "a\ud83db", "a\ufffdb"],
    ["joined emoji come apart", "👩‍👧 ❤️", "👩👧 ❤"],
    ["combining marks stay", "e\u0301", "e\u0301"],
  ])("%s", (_name, text, shown) => {
    expect(showControls(text)).toBe(shown);
  });

  test("a huge command is cut", () => {
    expect(showControls("x".repeat(1_000_000))).toBe(`${"x".repeat(2000)}…`);
    expect(showControls(`${"x".repeat(1999)}👩`)).toBe(`${"x".repeat(1999)}\ufffd…`);
  });
});

test.each([
  ["colours are removed", "\u001b[1;31merror\u001b[0m: no", "error: no"],
  ["a title goes", "\u001b]0;title\u0007text", "text"],
  ["a sequence put together by stripping stays harmless", "\u001b\u001b[31m[2Jx", "␛[2Jx"],
  ["an unfinished sequence stays harmless", "x\u001b[", "x␛["],
  ["lines are joined", "  a\nb\n", "a↵b"],
])("one clean line: %s", (_name, text, line) => {
  expect(cleanLine(text)).toBe(line);
});

test("clean lines leave blank ones out and stop after twenty", () => {
  expect(cleanLines("a\n\n \u001b[0m\r\n b\rc")).toEqual(["a", "b", "c"]);
  expect(cleanLines("")).toEqual([]);
  expect(cleanLines("x\n".repeat(25))).toEqual([...Array(20).fill("x"), "… 5 more lines"]);
});

test.each([
  ["a\nb\n\n", "b"],
  ["10 %\r20 %\r", "20 %"],
  ["\n \n", null],
  [`${"x\n".repeat(1_000_000)}end`, "end"],
])("the last line of %j is %j", (text, line) => {
  expect(cleanLastLine(text)).toBe(line);
});

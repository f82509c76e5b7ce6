// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are compose files' own
import { describe, expect, it } from "vitest";
import { splitWords } from "../../../src/shell-words.js";
import { interpolate, VariableNotSet } from "../../../src/task/compose/interpolate.js";

describe("interpolate", () => {
  const variables = { SET: "yes", EMPTY: "" };
  it.each([
    ["$SET/${SET}", "yes/yes"],
    ["$$SET $${SET}", "$SET ${SET}"],
    ["[$UNSET]", "[]"],
    ["${EMPTY-a}|${EMPTY:-a}|${UNSET-b}", "|a|b"],
    ["${UNSET:-${SET}}", "yes"],
    ["${UNSET:-a ${UNSET:-b ${SET}}} c", "a b yes c"],
    ["${SET:+other}|${EMPTY:+other}|${EMPTY+other}", "other||other"],
    ["$(date) $1 a$ $", "$(date) $1 a$ $"],
    ["${SET:?no}${EMPTY?no}", "yes"],
    ['${UNSET:-{"a": 1}}', '{"a": 1}'],
  ])("makes of %s", (text, expected) => {
    expect(interpolate(text, variables)).toBe(expected);
  });

  it.each([
    ["${UNSET:?say it}", "needs the variable UNSET: say it"],
    ["${EMPTY:?}", "needs the variable EMPTY, which is not set"],
  ])("needs the variable of %s", (text, why) => {
    expect(() => interpolate(text, variables)).toThrow(VariableNotSet);
    expect(() => interpolate(text, variables)).toThrow(why);
  });

  it.each(["${", "${}", "${1}", "${A!b}", "${A:-b"])("refuses %s", (text) => {
    expect(() => interpolate(text, variables)).toThrow("${");
  });
});

describe("splitWords", () => {
  it.each([
    ["a  b", ["a", "b"]],
    [`sh -c "echo 'x y' \\"z\\""`, ["sh", "-c", `echo 'x y' "z"`]],
    ["'' a\\ b", ["", "a b"]],
  ])("splits %s", (line, words) => {
    expect(splitWords(line)).toEqual(words);
  });
});

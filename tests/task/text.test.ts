import { describe, expect, it } from "vitest";
import { editDistance, findNearest } from "../../src/task/nearest.js";
import { fillTemplates } from "../../src/task/templates.js";
import { findTomlLine, type Path } from "../../src/task/toml-lines.js";

describe("findTomlLine", () => {
  const toml = `top = 1
list = [
  "x",
]
[a]
text = """
key = 1
[b]
"""
key = 2
"quoted key" = 3
dotted.part = 4
inline = { x = 1 }
[[items]]
name = "one"
[items.sub]
x = 1
[[items]]
name = "two"
[items.sub] # remark
x = 2
[ a . b ]
c = 1
`;
  it.each<[Path, number | null]>([
    [["top"], 1],
    [["list", 0], 2],
    [["a"], 5],
    [["a", "key"], 10],
    [["a", "quoted key"], 11],
    [["a", "dotted", "part"], 12],
    [["a", "inline", "x"], 13],
    [["a", "missing"], 5],
    [["items"], 14],
    [["items", 0, "name"], 15],
    [["items", 1, "name"], 19],
    [["items", 0, "sub", "x"], 17],
    [["items", 1, "sub", "x"], 21],
    [["a", "b", "c"], 23],
    [["missing"], null],
  ])("%j is on line %s", (path, line) => {
    expect(findTomlLine(toml, path)).toBe(line);
  });
});

describe("findNearest", () => {
  const known = ["timeout_sec", "user", "env", "network_mode", "allowed_hosts"];
  it.each([
    ["timout_sec", "timeout_sec"],
    ["timeout", "timeout_sec"],
    ["TIMEOUT_SEC", "timeout_sec"],
    ["usre", "user"],
    ["envs", "env"],
    ["networkmode", "network_mode"],
    ["allow_hosts", "allowed_hosts"],
    ["colour", null],
    ["x", null],
  ])("%s → %s", (name, nearest) => {
    expect(findNearest(name, known)).toBe(nearest);
  });

  it.each([
    ["", "", 0],
    ["", "abc", 3],
    ["abc", "abc", 0],
    ["abc", "acb", 1],
    ["abc", "abcd", 1],
    ["kitten", "sitting", 3],
  ])("%j is %j away from %j", (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance);
    expect(editDistance(b, a)).toBe(distance);
  });
});

describe("fillTemplates", () => {
  it("takes values from the caller and lists missing variables", () => {
    const templates = { A: `\${X}`, B: `\${Y}`, C: "plain", D: `\${Y:-d}` };
    expect(fillTemplates(templates, { X: "x" })).toEqual({
      values: { A: "x", C: "plain", D: "d" },
      missing: [{ name: "B", template: `\${Y}`, variable: "Y" }],
    });
  });
});

import { expect, test } from "vitest";
import { parseReporters } from "../../src/report/reporter-names.js";

test("lists are joined, and a path belongs to its reporter", () => {
  expect(parseReporters(["console, junit=out/j.xml", "html"])).toEqual([
    { name: "console", path: null },
    { name: "junit", path: "out/j.xml" },
    { name: "html", path: null },
  ]);
});

test.each([
  ["pdf", "there is no reporter pdf"],
  ["console=x", "--reporter console=x: console doesn't write a file"],
  ["junit=", "--reporter junit=: the path is empty"],
])("%s is refused", (list, message) => {
  expect(() => parseReporters([list])).toThrow(message);
});

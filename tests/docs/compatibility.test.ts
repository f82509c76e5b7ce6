import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { differenceRows } from "../parity/suite.js";

const PAGE = readFileSync(new URL("../../docs/compatibility.md", import.meta.url), "utf8");

test("docs/compatibility.md has every difference that the parity suite explains", () => {
  const rows = PAGE.split("\n").filter((line) => line.startsWith("| `"));
  expect(rows).toEqual(differenceRows());
});

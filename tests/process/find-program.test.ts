import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { findProgram, isExecutable } from "../../src/process/find-program.js";

let dir = "";
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "find-program-"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(dir, { recursive: true });
});

it("finds the first program on the PATH that can be run", () => {
  for (const name of ["a", "b", "c"]) mkdirSync(join(dir, name));
  writeFileSync(join(dir, "a/tool"), "");
  for (const name of ["b/tool", "c/tool"]) {
    writeFileSync(join(dir, name), "#!/bin/sh\n");
    chmodSync(join(dir, name), 0o755);
  }
  vi.stubEnv("PATH", ["a", "b", "c"].map((name) => join(dir, name)).join(":"));
  expect(findProgram("tool")).toBe(join(dir, "b/tool"));
  expect(findProgram("no-such-tool")).toBeNull();
  expect(isExecutable(join(dir, "b/tool"))).toBe(true);
  expect(isExecutable(join(dir, "a/tool"))).toBe(false);
  expect(isExecutable(join(dir, "b"))).toBe(false);
});

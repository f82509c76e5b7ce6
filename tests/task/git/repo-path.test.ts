import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  cleanRepoPath,
  findFolderProblem,
  findLinkProblem,
} from "../../../src/task/git/repo-path.js";
import { makeCachedPlace } from "../cache.js";

describe("a path in a repository", () => {
  it.each([
    ["a/b", "a/b"],
    ["./a/b/", "a/b"],
    ["a//b/./c", "a/b/c"],
    [".", ""],
    ["", ""],
    ["..a/b..", "..a/b.."],
  ])("%j is %j", (given, clean) => {
    expect(cleanRepoPath(given)).toBe(clean);
  });

  it.each([
    "..",
    "../a",
    "a/../b",
    "a/..",
    "/a",
    "/",
    "a\\..\\b",
    ".git",
    "a/.GIT/hooks",
    "a\nb",
    "a\0b",
  ])("%j could lead out", (given) => {
    expect(cleanRepoPath(given)).toBe(null);
  });
});

describe("a folder of a checkout", () => {
  const make = () => {
    const { dir } = makeCachedPlace();
    const checkout = join(dir, "checkout");
    for (const name of ["checkout/task/tests", "checkout/shared", "outside"])
      mkdirSync(join(dir, name), { recursive: true });
    writeFileSync(join(dir, "outside/secret"), "x");
    const link = (path: string, target: string) => symlinkSync(target, join(checkout, path));
    return { dir, checkout, link };
  };

  it("must be there, and not be somewhere else", () => {
    const { checkout, link } = make();
    link("away", "../outside");
    writeFileSync(join(checkout, "file"), "");
    expect(findFolderProblem(checkout, "task")).toBe(null);
    expect(findFolderProblem(checkout, "away")).toBe("leads out of the repository");
    for (const name of ["nowhere", "file"])
      expect(findFolderProblem(checkout, name)).toBe(
        "is no folder of the repository at that commit",
      );
  });

  it("may have links to its repository, and to nothing", () => {
    const { checkout, link } = make();
    link("task/shared", "../shared");
    link("task/self", "self");
    link("task/gone", "gone-too");
    expect(findLinkProblem(checkout, "task")).toBe(null);
  });

  it.each([
    ["task/instruction.md", "../../outside/secret"],
    ["task/tests/deep", "/etc/passwd"],
    ["task/gone", "../../nowhere"],
    ["task/environment", ".."],
  ])("may have no link that leads out: %s to %s", (path, target) => {
    const { checkout, link } = make();
    if (target === "..") {
      link("shared/out", "../../outside");
      link(path, "../shared/out");
    } else link(path, target);
    expect(findLinkProblem(checkout, "task")).toMatch(
      /^contains a link that leads out of the repository: task\/.* -> /,
    );
  });
});

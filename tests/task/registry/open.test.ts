import { expect, it } from "vitest";
import { githubRepository } from "../../../src/task/registry/open.js";

const COMMIT = "1".repeat(40);

it.each([
  ["https://raw.githubusercontent.com/org/repo/main/registry.json", "refs/heads/main"],
  [
    "https://raw.githubusercontent.com/org/repo/refs/heads/next/sets/registry.json",
    "refs/heads/next",
  ],
  [`https://raw.githubusercontent.com/org/repo/${COMMIT}/registry.json`, COMMIT],
])("the repository of %s is known", (url, ref) => {
  expect(githubRepository(new URL(url))).toEqual({ url: "https://github.com/org/repo.git", ref });
});

it.each([
  "https://example.com/org/repo/main/registry.json",
  "https://raw.githubusercontent.com/org",
])("that of %s isn't", (url) => {
  expect(githubRepository(new URL(url))).toBe(null);
});

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readRun } from "../../src/events/run-folder.js";
import { createGithubWriter } from "../../src/report/documents/github.js";
import { makeFolder, type StoredTrial, writeRun } from "../support/stored-run.js";
import { drive } from "./documents.js";
import { createMemory } from "./memory.js";

async function report(trials: StoredTrial[], { silent = false } = {}) {
  const dir = writeRun(makeFolder(), trials);
  const output = createMemory();
  const summaryFile = join(dir, "step-summary.md");
  writeFileSync(summaryFile, "before\n");
  await drive(
    await readRun(dir),
    createGithubWriter({ output: silent ? null : output, summaryFile }),
  );
  return {
    lines: output.text.split("\n").slice(0, -1),
    summary: readFileSync(summaryFile, "utf8"),
  };
}

test("an error for a task that never passed, a warning for a mixed one", async () => {
  const { lines, summary } = await report([
    { task: "good" },
    { task: "mixed", attempt: 1 },
    { task: "mixed", attempt: 2, outcome: "failed" },
    {
      task: "slow",
      outcome: "agent_timeout",
      error: { code: "agent_timeout", message: "too slow", hint: null },
    },
    { task: "unlucky", outcome: "infra_error", error: { code: "infra", message: "x", hint: null } },
  ]);
  expect(lines).toEqual([
    "::error title=slow::0 of 1 scored trials passed; agent_timeout: too slow",
    "::warning title=mixed::1 of 2 scored trials passed; failed",
    "::warning title=unlucky::0 of 0 scored trials passed; infra_error: x",
  ]);
  expect(summary).toMatch(/^before\n## /);
});

test("nothing in a name or a message can be a command of its own", async () => {
  const { lines } = await report([
    {
      task: "a,file=x::b\n::set-env name=PATH::/tmp",
      outcome: "failed",
      error: { code: "x", message: "100%\r\n::error::owned", hint: null },
    },
  ]);
  expect(lines).toEqual([
    "::error title=a%2Cfile=x%3A%3Ab↵%3A%3Aset-env name=PATH%3A%3A/tmp::0 of 1 scored trials passed; failed: 100%25↵::error::owned",
  ]);
});

test("no more annotations than GitHub shows, and none when stdout is used by another reporter", async () => {
  const trials = Array.from({ length: 15 }, (_, place) => ({
    task: `t${place}`,
    outcome: "failed" as const,
  }));
  const { lines } = await report(trials);
  expect(lines).toHaveLength(10);
  expect(lines.at(-1)).toBe("::error title=more tasks::6 more tasks did not pass");
  expect((await report(trials, { silent: true })).lines).toEqual([]);
});

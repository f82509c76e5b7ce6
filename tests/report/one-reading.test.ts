import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { makeFolder, writeRun } from "../support/stored-run.js";

// Counts the reads in a run's folder, by any function.
const read = vi.hoisted(() => [] as string[]);
vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>();
  const createReadStream: typeof fs.createReadStream = (path, options) => {
    read.push(String(path));
    return fs.createReadStream(path, options);
  };
  return { ...fs, createReadStream };
});
vi.mock("node:fs/promises", async (original) => {
  const fs = await original<typeof import("node:fs/promises")>();
  const readFile = (path: string, options: BufferEncoding) => {
    read.push(path);
    return fs.readFile(path, options);
  };
  return { ...fs, readFile };
});

const { openReporters, replayTo } = await import("../../src/cli/reporters.js");
const { readRun } = await import("../../src/events/run-folder.js");
const { finishRun, startRun } = await import("./events.js");

const FOUR = { reporter: ["html,junit,markdown,github"] };
const trials = ["a", "b", "c"].map((task) => ({ task, outcome: "failed" as const }));
let dir: string;

beforeEach(() => {
  dir = writeRun(makeFolder(), trials);
  read.length = 0;
  vi.stubEnv("GITHUB_STEP_SUMMARY", join(dir, "step-summary.md"));
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** How often each file of the run was read. */
function count(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const path of read) {
    const name = relative(dir, path);
    if (!name.startsWith("..")) counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

const once = Object.fromEntries(
  [
    "run.json",
    "summary.json",
    ...trials.flatMap(({ task }) => [
      `trials/${task}.1/result.json`,
      `trials/${task}.1/events.jsonl`,
    ]),
  ].map((name) => [name, 1]),
);

test("four reporters of a stored run read each of its files once", async () => {
  expect(await replayTo(await readRun(dir), FOUR)).toBe(true);
  expect(count()).toEqual(once);
});

test("so do four reporters at the end of a live run", async () => {
  const { reporter } = openReporters({ ...FOUR, quiet: true });
  reporter.event(startRun(["a.1", "b.1", "c.1"], { out: dir }));
  reporter.event(finishRun([]));
  await reporter.close?.();
  expect(count()).toEqual(once);
  const files = readdirSync(dir);
  for (const file of ["report.html", "junit.xml", "report.md", "step-summary.md"])
    expect(files).toContain(file);
});

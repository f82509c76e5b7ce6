import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { listPids, readCommandLine } from "../../src/process/proc.js";
import { brokenAgent, check, exampleAgent, pointsWith } from "./check.js";

const ALWAYS = ["bash", "python", "typescript", "playbook", "legacy", "planner"];
/** Built when they start: the first answer takes as long as the compiler. */
const COMPILED = [
  { name: "rust", tool: "cargo" },
  { name: "go", tool: "go" },
];
const BUILD_SEC = 300;

function isInstalled(tool: string): boolean {
  try {
    execFileSync("which", [tool], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

describe.concurrent("every example passes every point", () => {
  it.each(ALWAYS)("%s", async (name) => {
    const report = await check(exampleAgent(name), { timeoutSec: 60 });
    expect(report.points.filter(({ status }) => status !== "passed")).toEqual([]);
  });

  for (const { name, tool } of COMPILED)
    it.skipIf(!isInstalled(tool))(
      name,
      async () => {
        const report = await check(exampleAgent(name), { timeoutSec: BUILD_SEC });
        expect(report.points.filter(({ status }) => status !== "passed")).toEqual([]);
      },
      BUILD_SEC * 1000,
    );
});

describe("an agent that completes early", () => {
  it("doesn't fail points that could not be checked", async () => {
    const report = await check(brokenAgent("completes-at-once.sh"));
    expect(report).toMatchObject({ ok: true, totals: { failed: 0, warning: 0 } });
    expect(pointsWith(report, "not_seen")).toEqual(["big_output", "exit_codes", "second_chance"]);
  });

  it("shows more when it gets something else to do", async () => {
    const planner = exampleAgent("planner");
    const idle = await check(planner, { instruction: "Do nothing" });
    expect(pointsWith(idle, "not_seen")).toContain("big_output");
    const busy = await check(planner, { instruction: "Write a file a.txt containing 'b'" });
    expect(pointsWith(busy, "passed")).toContain("big_output");
  });
});

// It thinks for many seconds, in more than one of the conversations.
it("waits for an agent that thinks long while a thread reads stdin", {
  timeout: 240_000,
}, async () => {
  const report = await check(brokenAgent("thinks-long.py"));
  expect(report.points.filter(({ status }) => status !== "passed")).toEqual([]);
});

it("a check that is interrupted leaves nothing behind", async () => {
  const controller = new AbortController();
  const line = `sleep 600.${process.pid}`;
  const isRunning = async () =>
    (await Promise.all((await listPids()).map(readCommandLine))).includes(line);
  const checked = check(line, { signal: controller.signal });
  await expect.poll(isRunning, { timeout: 10_000 }).toBe(true);
  controller.abort(new Error("interrupted"));
  await expect(checked).rejects.toThrow("interrupted");
  expect(await isRunning()).toBe(false);
});

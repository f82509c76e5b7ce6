import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { describe, expect, it } from "vitest";
import type { CheckReport } from "../../src/check-agent/types.js";
import { brokenAgent, exampleAgent } from "./check.js";

const MAIN = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

function termRun(...args: string[]) {
  return execa(process.execPath, [MAIN, "check-agent", ...args], { reject: false });
}

describe("term-run check-agent", () => {
  it("prints a line for each point, without colours, and exits with 0", async () => {
    const { exitCode, stdout, stderr } = await termRun(exampleAgent("python"));
    expect(stdout.split("\n").filter((line) => line.startsWith("✓"))).toHaveLength(16);
    expect(stdout).toMatch(/^16 passed in [\d.]+s$/m);
    expect(stdout).not.toContain("\u001b");
    expect(stderr).toBe("");
    expect(exitCode).toBe(0);
  });

  it("says what was seen, why it matters and what to do, and exits with 1", async () => {
    const { exitCode, stdout } = await termRun(brokenAgent("prints-banner.py"));
    const lines = stdout.split("\n");
    const at = lines.indexOf("✗ nothing but answers on stdout");
    expect(lines.slice(at + 1, at + 4)).toEqual([
      "    seen this is not a JSON object: MyAgent v1.2 is loading its model",
      expect.stringMatching(/^ {4}why {2}\w/),
      expect.stringMatching(/^ {4}fix {2}Send banners/),
    ]);
    expect(stdout).toMatch(/^15 passed, 1 failed in/m);
    expect(exitCode).toBe(1);
  });

  it("--json: one document and nothing else", async () => {
    const { exitCode, stdout } = await termRun(brokenAgent("ignores-error.py"), "--json");
    const report = JSON.parse(stdout) as CheckReport;
    expect(report).toMatchObject({
      format_version: 1,
      agent: { name: "ignores-error" },
      ok: false,
      totals: { passed: 15, warning: 0, failed: 1, not_seen: 0 },
    });
    expect(report.points.find(({ id }) => id === "flushes")).toEqual({
      id: "flushes",
      title: "flushes each answer",
      status: "passed",
      seen: expect.any(String),
      reason: null,
      fix: null,
    });
    expect(exitCode).toBe(1);
  });

  it("--env passes a variable on, and its value is redacted", async () => {
    const agent = `sh -c 'echo "got $MY_API_KEY" >&2; exit 1'`;
    const { stdout } = await termRun(agent, "--env", "MY_API_KEY=hunter2hunter2");
    expect(stdout).toContain("the last line of its stderr: got [redacted]");
  });

  it.each([
    { args: ["./no-such-agent"], says: 'agent not found: "./no-such-agent"' },
    { args: ["oracle"], says: "the agent oracle is built in" },
    { args: [], says: "missing required argument 'agent'" },
    { args: ["true", "--timeout", "soon"], says: "--timeout" },
  ])("exits with 2 for $args", async ({ args, says }) => {
    const { exitCode, stdout, stderr } = await termRun(...args);
    expect(stderr).toContain(says);
    expect(stdout).toBe("");
    expect(exitCode).toBe(2);
  });
});

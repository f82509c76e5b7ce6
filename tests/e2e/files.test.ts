import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eachSandbox, exampleAgent, HELLO, QUICK, termRun } from "./cli.js";

const TRIAL = "trials/hello-world.1";
const RECORDS = ["run.json", "summary.json", `${TRIAL}/result.json`];
const LOGS = ["events.jsonl", `${TRIAL}/events.jsonl`];

const runOnce = (sandbox: string) =>
  termRun([HELLO, "--agent", exampleAgent("bash/agent.sh"), "--sandbox", sandbox]);

eachSandbox("the files of a run", (sandbox) => {
  it("are complete, and there are no others", async () => {
    const { place } = await runOnce(sandbox);
    const found = readdirSync(place.out, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(place.out.length + 1));
    const others = [`${TRIAL}/agent.stderr.log`, `${TRIAL}/verifier/reward.txt`];
    expect(found.sort()).toEqual([...RECORDS, ...LOGS, ...others].sort());
  });
});

describe.skipIf(!QUICK)("files on disk", () => {
  it("say what was run, how it went and why", async () => {
    const run = await runOnce(QUICK);
    const { task_digest } = run.result("hello-world.1");
    expect(JSON.parse(run.text("run.json"))).toMatchObject({
      run: run.place.mark,
      agent: { name: "agent", spec: exampleAgent("bash/agent.sh") },
      sandbox: QUICK,
      trials: [{ trial: "hello-world.1", task: "hello-world", attempt: 1, task_digest }],
      host: { platform: "linux", node: process.version },
    });
    expect(run.result("hello-world.1")).toMatchObject({
      outcome: "passed",
      reward: 1,
      steps: 3,
      tries: 1,
      error: null,
    });
    expect(run.text(`${TRIAL}/agent.stderr.log`)).toContain("step 3, exit code");
    expect(run.text(`${TRIAL}/verifier/reward.txt`)).toBe("1\n");
    expect(run.trialEvents("hello-world.1").map(({ type }) => type)).toEqual(
      expect.arrayContaining(["trial_started", "command_finished", "trial_finished"]),
    );
  });

  it("are snake_case, with the version of their format", async () => {
    const run = await runOnce(QUICK);
    for (const file of RECORDS) {
      const record = JSON.parse(run.text(file));
      expect.soft(record, file).toHaveProperty("format_version", 1);
      expect.soft(findOddNames(record), file).toEqual([]);
    }
    for (const file of LOGS) {
      const events = run
        .text(file)
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
      expect.soft(events[0], file).toHaveProperty("format_version", 1);
      expect.soft(findOddNames(events), file).toEqual([]);
    }
  });
});

/** Field names that are not snake_case. */
function findOddNames(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(findOddNames);
  return Object.entries(value).flatMap(([name, part]) => [
    ...(/^[a-z][a-z0-9_]*$/.test(name) ? [] : [name]),
    ...findOddNames(part),
  ]);
}

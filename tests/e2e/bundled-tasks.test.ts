import { describe, expect, it } from "vitest";
import { exampleAgent, SANDBOXES, TASKS, termRun } from "./cli.js";
import { expectNoTraces } from "./traces.js";

const PORTABLE = ["fix-permissions", "hello-world", "log-report", "resilient-script"];
const ALL = ["c-buildfix", ...PORTABLE];
/** Where there is no image yet, the task with a Dockerfile is built first. */
const TIMEOUT_MS = 600_000;

const AGENTS = [
  { name: "oracle", agent: "oracle", outcome: "passed" },
  { name: "nop", agent: "nop", outcome: "failed" },
  { name: "the playbook", agent: exampleAgent("playbook/agent.mjs"), outcome: "passed" },
] as const;

describe.each(SANDBOXES)("the bundled tasks in %s", (sandbox) => {
  const scored = sandbox === "docker" ? ALL : PORTABLE;

  it.each(AGENTS)("$name: all $outcome", { timeout: TIMEOUT_MS }, async ({ agent, outcome }) => {
    const run = await termRun([TASKS, "--agent", agent, "--sandbox", sandbox]);
    const { tasks, pass_rate } = run.summary();
    const expected = ALL.map((task) => [
      task,
      { [scored.includes(task) ? outcome : "skipped"]: 1 },
    ]);
    expect(tasks.map(({ task, outcomes }) => [task, outcomes])).toEqual(expected);
    expect(pass_rate.of).toBe(scored.length);
    expect(run.exitCode).toBe(0);
    if (sandbox === "bubblewrap")
      expect(run.stdout).toContain("skipped  c-buildfix.1  it needs an image of its own");
    await expectNoTraces(run.place);
  });
});

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { eachSandbox, exampleAgent, TASKS, termRun } from "./cli.js";
import { expectNoTraces } from "./traces.js";

const ALL = readdirSync(TASKS).filter(holds("task.toml")).sort();
const WITH_IMAGE = ALL.filter(holds("environment/Dockerfile"));
/** Where there is no image yet, the task with a Dockerfile is built first. */
const TIMEOUT_MS = 600_000;

const AGENTS = [
  { name: "oracle", agent: "oracle", outcome: "passed" },
  { name: "nop", agent: "nop", outcome: "failed" },
  { name: "the playbook", agent: exampleAgent("playbook/agent.mjs"), outcome: "passed" },
] as const;

eachSandbox("the bundled tasks", (sandbox) => {
  const skipped = sandbox === "docker" ? [] : WITH_IMAGE;

  it.each(AGENTS)("$name: all $outcome", { timeout: TIMEOUT_MS }, async ({ agent, outcome }) => {
    const run = await termRun([TASKS, "--agent", agent, "--sandbox", sandbox]);
    const { tasks, pass_rate } = run.summary();
    const expected = ALL.map((task) => [
      task,
      { [skipped.includes(task) ? "skipped" : outcome]: 1 },
    ]);
    expect(tasks.map(({ task, outcomes }) => [task, outcomes])).toEqual(expected);
    expect(pass_rate.of).toBe(ALL.length - skipped.length);
    expect(run.exitCode).toBe(0);
    for (const task of skipped)
      expect(run.stdout).toContain(`skipped  ${task}.1  it needs an image of its own`);
    await expectNoTraces(run.place);
  });
});

function holds(file: string) {
  return (task: string) => existsSync(join(TASKS, task, file));
}

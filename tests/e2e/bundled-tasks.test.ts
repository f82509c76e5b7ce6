import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it } from "vitest";
import { eachSandbox, exampleAgent, TASKS, termRun } from "./cli.js";
import { expectNoTraces } from "./traces.js";

const ALL = readdirSync(TASKS).filter(holds("task.toml")).sort();
const WITH_IMAGE = ALL.filter(holds("environment/Dockerfile"));
/** Where there is no image yet, the task with a Dockerfile is built first. */
const TIMEOUT_MS = 600_000;

/** The tasks that the playbook has a play for; a play without a task makes the run fail. */
const PLAYED = readdirSync(exampleAgent("playbook/plays"))
  .filter((file) => file !== "index.mjs")
  .map((file) => basename(file, ".mjs"))
  .sort();

const AGENTS = [
  {
    name: "the playbook",
    agent: exampleAgent("playbook/agent.mjs"),
    tasks: PLAYED,
    outcome: "passed",
  },
] as const;

eachSandbox("the bundled tasks", (sandbox) => {
  it.each(AGENTS)("$name: all $outcome", { timeout: TIMEOUT_MS }, async (wanted) => {
    const { agent, outcome } = wanted;
    const skipped = sandbox === "docker" ? [] : wanted.tasks.filter((t) => WITH_IMAGE.includes(t));
    const paths = wanted.tasks.map((task) => join(TASKS, task));
    const run = await termRun([...paths, "-a", agent, "-s", sandbox, "--concurrency", "2"]);
    const { tasks, pass_rate } = run.summary();
    const expected = wanted.tasks.map((task) => [
      task,
      { [skipped.includes(task) ? "skipped" : outcome]: 1 },
    ]);
    expect(tasks.map(({ task, outcomes }) => [task, outcomes])).toEqual(expected);
    expect(pass_rate.of).toBe(wanted.tasks.length - skipped.length);
    expect(run.exitCode).toBe(0);
    for (const task of skipped)
      expect(run.stdout).toContain(`skipped  ${task}.1  it needs an image of its own`);
    await expectNoTraces(run.place);
  });
});

function holds(file: string) {
  return (task: string) => existsSync(join(TASKS, task, file));
}

import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { eachSandbox, makePlace, type Place, termRun } from "../e2e/cli.js";
import { expectNoTraces } from "../e2e/traces.js";
import {
  AGENTS,
  type ParityAgent,
  type ParityTask,
  readSuite,
  VARIABLES,
  type Verdict,
  verdictHere,
  verdictOf,
} from "./suite.js";

/** Where there are no images yet, all are built first. */
const TIMEOUT_MS = 1_200_000;

eachSandbox("the parity suite", (sandbox) => {
  it.each(AGENTS)("gives every verdict for %s", { timeout: TIMEOUT_MS }, async (agent) => {
    const place = makePlace();
    Object.assign(place.env, VARIABLES);
    const tasks = readSuite().filter(
      (task) =>
        verdictHere(task, agent) !== null && (sandbox === "docker" || task.expected.portable),
    );
    const dirs = tasks.map((task) => (sandbox === "docker" ? task.dir : withoutImage(task, place)));
    const run = await termRun(
      [...dirs, "-a", agent, "-s", sandbox, "--concurrency", "3", "--retries", "0"],
      place,
    );
    const given = tasks.map((task) => [task.name, verdictOf(run.result(`${task.name}.1`), task)]);
    expect(Object.fromEntries(given)).toEqual(wanted(tasks, agent));
    await expectNoTraces(place);
  });
});

function wanted(tasks: ParityTask[], agent: ParityAgent): Record<string, Verdict | null> {
  return Object.fromEntries(tasks.map((task) => [task.name, verdictHere(task, agent)]));
}

/** A copy that any sandbox can run: Harbor's tasks have an image in any case. */
function withoutImage({ name, dir }: ParityTask, place: Place): string {
  const copy = join(place.dir, "tasks", name);
  cpSync(dir, copy, { recursive: true, filter: (path) => path !== join(dir, "environment") });
  return copy;
}

import { chmodSync, cpSync, existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { CheckReport } from "../../src/check-task/types.js";
import { eachSandbox, HELLO, makePlace, QUICK, TASKS } from "./cli.js";
import { inPlace, runCommand } from "./command.js";
import { expectNoTraces } from "./traces.js";

/** Where there are no images yet, they are built first. */
const TIMEOUT_MS = 900_000;

const ALL = readdirSync(TASKS).filter((task) => existsSync(join(TASKS, task, "task.toml")));
const WITH_IMAGE = ALL.filter((task) => existsSync(join(TASKS, task, "environment/Dockerfile")));

eachSandbox("the bundled tasks", (sandbox) => {
  it("all pass, without a warning", { timeout: TIMEOUT_MS }, async () => {
    const place = makePlace();
    // Twice the cores of a small machine: a trial mostly waits for the engine.
    const flags = ["-s", sandbox, "--concurrency", "4", "--json"];
    const { exitCode, stdout } = await runCommand(place, "check", TASKS, ...flags);
    const report = JSON.parse(stdout) as CheckReport;
    expect(report.tasks.map(({ task }) => task).sort()).toEqual([...ALL].sort());
    const skipped = sandbox === "docker" ? [] : WITH_IMAGE;
    const odd = report.tasks.flatMap(({ task, points }) =>
      points
        .filter(({ status }) => status !== "passed")
        .filter(({ status }) => !(status === "not_run" && skipped.includes(task)))
        .map(({ id, seen }) => `${task} ${id}: ${seen}`),
    );
    expect(odd).toEqual([]);
    expect(report.totals).toMatchObject({
      passed: ALL.length - skipped.length,
      skipped: skipped.length,
    });
    expect(exitCode).toBe(0);
    await expectNoTraces(place);
  });
});

it.skipIf(!QUICK)("reports in a table what is wrong, why, and what to do about it", async () => {
  const place = makePlace();
  cpSync(HELLO, inPlace(place, "tasks/sound"), { recursive: true });
  cpSync(HELLO, inPlace(place, "tasks/gift"), { recursive: true });
  const test = inPlace(place, "tasks/gift/tests/test.sh");
  writeFileSync(test, "#!/bin/sh\necho 1 >/logs/verifier/reward.txt\n");
  chmodSync(test, 0o755);
  const { exitCode, stdout } = await runCommand(place, "check", "tasks", "-s", QUICK);
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/^sound( +✓){8}$/m);
  expect(stdout).toMatch(/^gift +✓ +✓ +✓ +✗/m);
  expect(stdout).toContain("it passed although nothing was done");
  expect(stdout).toContain("Any agent would pass, whatever it does.");
  expect(stdout).toContain(`1 passed, 1 failed in ${QUICK}`);
});

it.skipIf(!QUICK)("a task that can't be read makes the exit code 2", async () => {
  const place = makePlace();
  cpSync(HELLO, inPlace(place, "tasks/sound"), { recursive: true });
  cpSync(HELLO, inPlace(place, "tasks/garbled"), { recursive: true });
  writeFileSync(inPlace(place, "tasks/garbled/task.toml"), "[agent\n");
  const { exitCode, stdout } = await runCommand(place, "check", "tasks", "-s", QUICK);
  expect(exitCode).toBe(2);
  expect(stdout).toContain("garbled/task.toml:1");
  expect(stdout).toMatch(/^sound( +✓){8}$/m);
});

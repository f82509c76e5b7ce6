import { describe, expect, it } from "vitest";
import { HELLO, hasDocker, makePlace, QUICK, termRun } from "./cli.js";
import { writeTask } from "./tasks.js";
import { expectNoTraces } from "./traces.js";

const SHARES = [
  { agent: "oracle", flags: [], exitCode: 0 },
  { agent: "nop", flags: [], exitCode: 0 },
  { agent: "oracle", flags: ["--fail-under", "1"], exitCode: 0 },
  { agent: "nop", flags: ["--fail-under", "0"], exitCode: 0 },
  { agent: "nop", flags: ["--fail-under", "1%"], exitCode: 1 },
];

describe.skipIf(!QUICK)("exit codes", () => {
  it.each(SHARES)("$exitCode for $agent $flags", async ({ agent, flags, exitCode }) => {
    const run = await termRun([HELLO, "--agent", agent, "--sandbox", QUICK, ...flags]);
    expect(run.exitCode).toBe(exitCode);
  });

  it("1 when the pass rate is below --fail-under", async () => {
    const place = makePlace();
    const tasks = [writeTask(place, "easy"), HELLO];
    const args = [...tasks, "--agent", "nop", "--sandbox", QUICK, "--fail-under"];
    expect((await termRun([...args, "50%"], place)).exitCode).toBe(0);
    const again = { ...place, out: `${place.out}-again` };
    expect((await termRun([...args, "51%"], again)).exitCode).toBe(1);
  });
});

describe.skipIf(!hasDocker)("exit code 3", () => {
  it("an image that can't be built is an infrastructure error, which affects no agent's score", async () => {
    const place = makePlace();
    const broken = writeTask(place, "broken", {
      "environment/Dockerfile":
        "FROM debian:bookworm-slim\nRUN echo the disk is on fire >&2; exit 9\n",
    });
    const args = [broken, HELLO, "--agent", "oracle", "--sandbox", "docker", "--fail-under", "1"];
    const run = await termRun(args, place);
    expect(run.exitCode).toBe(3);
    const { outcomes, pass_rate } = run.summary();
    expect(outcomes).toMatchObject({ passed: 1, infra_error: 1 });
    expect(pass_rate).toMatchObject({ value: 1, passed: 1, of: 1 });
    expect(run.result("broken.1").error?.message).toContain("the disk is on fire");
    expect(run.stdout).toContain("the disk is on fire");
    expect(run.stdout).toContain("pass rate 100.0 % (1/1)");
    expect(run.stdout).toContain("1 infra_error");
    await expectNoTraces(place);
  });
});

import { rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agentFile, eachSandbox, HELLO, makePlace, QUICK, startRun, termRun } from "./cli.js";
import { writeTask } from "./tasks.js";
import { expectNoTraces } from "./traces.js";

eachSandbox("--resume after SIGKILL", (sandbox) => {
  it("runs the rest and keeps what was finished, byte for byte", async () => {
    const place = makePlace();
    const tasks = ["first", "second", "third"].map((name) => writeTask(place, name));
    const gate = join(place.dir, "gate");
    writeFileSync(gate, "");
    Object.assign(place.env, { GATE: gate, SLOW_TASK: "second" });
    const args = [...tasks, "--agent", agentFile("gated.sh"), "--sandbox", sandbox];
    const killed = startRun([...args, "--concurrency", "1"], place);
    await killed.untilEvent("command_started", ({ trial }) => trial === "second.1");
    killed.kill();
    await killed.ended;
    await expectNoTraces(place);
    const first = "trials/first.1/result.json";
    const before = killed.text(first);
    const writtenAt = statSync(join(place.out, first)).mtimeMs;

    rmSync(gate);
    const resumed = await termRun([...args, "--resume", place.out], place);
    expect(resumed.exitCode).toBe(0);
    expect(resumed.text(first)).toBe(before);
    expect(statSync(join(place.out, first)).mtimeMs).toBe(writtenAt);
    const { outcomes, trials } = resumed.summary();
    expect(outcomes.passed).toBe(3);
    expect(trials).toEqual({ planned: 3, finished: 3, scored: 3 });
    expect(resumed.stdout).toContain("[3/3] ✓ passed  third.1");
  });
});

describe.skipIf(!QUICK)("--resume with a damaged result.json", () => {
  const DAMAGES = ["", '{"format_version": 1, "outcome": "pas', "null", "{}", "\0\0\0\0"];

  it("repeats that trial and no other", async () => {
    const attempts = DAMAGES.length + 1;
    const args = [HELLO, "-a", "oracle", "--sandbox", QUICK, "--attempts", String(attempts)];
    const { place, text } = await termRun(args);
    const file = (attempt: number) => `trials/hello-world.${attempt}/result.json`;
    for (const [index, damage] of DAMAGES.entries())
      writeFileSync(join(place.out, file(index + 1)), damage);
    const whole = text(file(attempts));

    const resumed = await termRun([...args, "--resume", place.out], place);
    expect(resumed.exitCode).toBe(0);
    expect(resumed.summary().pass_rate).toMatchObject({ passed: attempts, of: attempts });
    for (const index of DAMAGES.keys())
      expect(resumed.result(`hello-world.${index + 1}`).outcome).toBe("passed");
    expect(text(file(attempts))).toBe(whole);
  });
});

describe.skipIf(!QUICK)("results of another agent", () => {
  it.each(["--resume", "--out"])("are never counted for this one with %s", async (flag) => {
    const first = await termRun([HELLO, "--agent", "oracle", "--sandbox", QUICK]);
    const { place } = first;
    const before = first.text("trials/hello-world.1/result.json");
    const again = [HELLO, "--agent", "nop", "--sandbox", QUICK];
    const resume = flag === "--resume" ? ["--resume", place.out] : [];
    const second = await termRun([...again, ...resume], place);
    expect(second.stdout).not.toContain("passed");
    expect(second.stdout).not.toContain("100.0 %");
    expect(first.text("trials/hello-world.1/result.json")).toBe(before);
    expect(second.exitCode).toBe(2);
    expect(second.stderr).toContain(place.out);
  });
});

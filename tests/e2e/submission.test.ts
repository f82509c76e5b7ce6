import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { makeTasks, writeStoredRun } from "../support/stored-run.js";
import { agentFile, HELLO, makePlace, QUICK, termRun } from "./cli.js";
import { inPlace, runCommand } from "./command.js";

describe("submit and verify-submission", () => {
  it("a submission is verified until it is changed", async () => {
    const place = makePlace();
    writeStoredRun(inPlace(place, "run"), { tasks: makeTasks(5, 2) });
    const packed = await runCommand(place, "submit", "run", "--out", "sub");
    expect(packed.stdout).toContain("13 files in");
    expect(packed.exitCode).toBe(0);
    const whole = await runCommand(place, "verify-submission", "sub");
    expect(whole.exitCode).toBe(0);
    expect(whole.stdout).toContain("my-agent: pass rate 60.0 % (3/5), 5 trials on 5 tasks");

    const file = inPlace(place, "sub/trials/task-01.1/result.json");
    writeFileSync(
      file,
      readFileSync(file, "utf8").replace('"outcome": "failed"', '"outcome": "passed"'),
    );
    const edited = await runCommand(place, "verify-submission", "sub", "--json");
    expect(edited.exitCode).toBe(1);
    const { ok, problems } = JSON.parse(edited.stdout);
    expect(ok).toBe(false);
    expect(problems.map(({ code }: { code: string }) => code)).toEqual([
      "altered",
      "score",
      "score",
    ]);
  });

  it("other limits have to be given", async () => {
    const place = makePlace();
    writeStoredRun(inPlace(place, "run"), { tasks: makeTasks(1), limits: { max_steps: 500 } });
    await runCommand(place, "submit", "run", "--out", "sub");
    const refused = await runCommand(place, "verify-submission", "sub");
    expect(refused.exitCode).toBe(1);
    expect(refused.stdout).toContain("limits: run.json: max_steps is 500, but 100 is required");
    const asked = await runCommand(place, "verify-submission", "sub", "--max-steps", "500");
    expect(asked.exitCode).toBe(0);
  });

  it("exit code 2 for what can't be packed or isn't a submission", async () => {
    const place = makePlace();
    writeStoredRun(inPlace(place, "run"), { tasks: makeTasks(2) });
    expect((await runCommand(place, "verify-submission", "run")).exitCode).toBe(2);
    expect((await runCommand(place, "submit", "nowhere", "--out", "sub")).exitCode).toBe(2);
    rmSync(inPlace(place, "run/trials/task-01.1"), { recursive: true });
    const cut = await runCommand(place, "submit", "run", "--out", "sub");
    expect(cut.exitCode).toBe(2);
    expect(cut.stderr).toContain("is not a finished run: 1 trial is missing");
  });
});

describe.skipIf(!QUICK)("a real run", () => {
  it.each([
    ["oracle", "oracle", []],
    ["an agent that crashes", agentFile("crashes.sh"), []],
    ["an agent that never ends", agentFile("endless.sh"), ["--max-steps", "3"]],
    ["an agent that says nothing", agentFile("silent.sh"), ["--step-timeout", "1"]],
  ])("%s can be scored again from its log", async (_name, agent, limits) => {
    const place = makePlace();
    await termRun([HELLO, "--agent", agent, "--sandbox", QUICK, "-n", "2", ...limits], place);
    await runCommand(place, "submit", place.out, "--out", "sub");
    const verify = ["verify-submission", "sub", "--tasks", HELLO, ...limits];
    const { exitCode, stdout } = await runCommand(place, ...verify);
    expect(stdout).toContain("ok: complete, unaltered, and the logs give the same numbers");
    expect(exitCode).toBe(0);
  });
});

import { describe, expect, it } from "vitest";
import { agentFile, HELLO, hasDocker, startRun } from "./cli.js";
import { expectNoTraces } from "./traces.js";

describe.skipIf(!hasDocker)("trials at the same time", () => {
  it("8 trials, 4 at a time, pass in Docker and leave nothing", async () => {
    const agent = agentFile("minimal.py");
    const flags = ["--attempts", "8", "--concurrency", "4", "--sandbox", "docker"];
    const run = startRun([HELLO, "--agent", agent, ...flags]);
    const { exitCode } = await run.ended;
    expect(exitCode).toBe(0);
    expect(run.summary().outcomes).toMatchObject({ passed: 8 });
    let running = 0;
    const most = run.events.map(({ type }) => {
      if (type === "trial_started") running++;
      if (type === "trial_finished") running--;
      return running;
    });
    expect(Math.max(...most)).toBe(4);
    await expectNoTraces(run.place);
  });
});

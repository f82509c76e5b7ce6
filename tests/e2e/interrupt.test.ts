import { expect, it } from "vitest";
import { agentFile, eachSandbox, HELLO, makePlace, startRun } from "./cli.js";
import { expectNoTraces } from "./traces.js";

const ENDING = "press Ctrl-C again to stop immediately";

async function startLongCommand(sandbox: string, agent: string) {
  const place = makePlace();
  place.env.ASKS = `sh -c 'sleep 600; : ${place.mark}'`;
  const args = [HELLO, "--agent", agentFile(agent), "--sandbox", sandbox, "--attempts", "2"];
  const run = startRun([...args, "--concurrency", "1"], place);
  await run.untilEvent("command_started");
  return run;
}

eachSandbox("Ctrl-C in mid-command", (sandbox) => {
  it("once: ends the trials, cleans up and writes the results so far", async () => {
    const run = await startLongCommand(sandbox, "parent.sh");
    run.pressCtrlC();
    const { exitCode, stderr } = await run.ended;
    await expectNoTraces(run.place);
    expect(exitCode).toBe(130);
    expect(stderr).toContain(ENDING);
    const { interrupted, outcomes, trials, pass_rate } = run.summary();
    expect({ interrupted, trials, cancelled: outcomes.cancelled, of: pass_rate.of }).toEqual({
      interrupted: true,
      trials: { planned: 2, finished: 1, scored: 0 },
      cancelled: 1,
      of: 0,
    });
    expect(run.events.at(-1)?.type).toBe("run_finished");
  });

  it("twice: exits immediately, even if the agent ignores it", async () => {
    const run = await startLongCommand(sandbox, "stubborn.sh");
    run.pressCtrlC();
    await run.untilStderr(ENDING);
    run.pressCtrlC();
    const { exitCode } = await run.ended;
    // Long before the agent's time to exit is up.
    expect(run.events.some(({ type }) => type === "agent_finished")).toBe(false);
    expect(exitCode).toBe(130);
    await expectNoTraces(run.place);
  });
});

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { commandsAgent, eachSandbox, HELLO, startRun } from "./cli.js";

const BYTES = 100_000_000;
const LIMIT_MB = 200;

eachSandbox("100 MB printed by a command", (sandbox) => {
  it("is cut, the trial goes on, and the runner stays small", async () => {
    const agent = commandsAgent(
      `head -c ${BYTES} /dev/zero | tr '\\0' x`,
      "echo 'Hello, world!' > hello.txt",
    );
    const run = startRun([HELLO, "--agent", agent, "--sandbox", sandbox]);
    const big = await run.untilEvent("command_finished");
    await run.untilEvent("verifier_started");
    const peak = readPeakMb(run.pid);
    const { exitCode } = await run.ended;
    expect(exitCode).toBe(0);
    expect(big).toMatchObject({ exit_code: 0, output_bytes: BYTES, timed_out: false });
    expect(big.cut_bytes).toBeGreaterThan(BYTES * 0.99);
    expect(run.summary().outcomes.passed).toBe(1);
    expect(peak).toBeLessThan(LIMIT_MB);
  });
});

/** The most memory that a process ever had, as Linux counts it. */
function readPeakMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

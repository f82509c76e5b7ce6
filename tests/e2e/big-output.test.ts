import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { commandsAgent, eachSandbox, HELLO, makePlace, startRun } from "./cli.js";

const BYTES = 100_000_000;
const LIMIT_MB = 200;

/** Records the peak memory, in kB, of each process. */
const WRITE_PEAK = `
import { writeFileSync } from "node:fs";
const file = process.env.PEAKS + process.pid;
process.on("exit", () => writeFileSync(file, String(process.resourceUsage().maxRSS)));
`;

eachSandbox("100 MB printed by a command", (sandbox) => {
  it("is cut, the trial continues, and the runner's memory stays small", async () => {
    const agent = commandsAgent(
      `head -c ${BYTES} /dev/zero | tr '\\0' x`,
      "echo 'Hello, world!' > hello.txt",
    );
    const place = makePlace();
    place.env.PEAKS = join(place.dir, "peak.");
    place.env.NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(WRITE_PEAK)}`;
    const run = startRun([HELLO, "--agent", agent, "--sandbox", sandbox], place);
    const { exitCode } = await run.ended;
    expect(exitCode).toBe(0);
    const big = await run.untilEvent("command_finished");
    expect(big).toMatchObject({ exit_code: 0, output_bytes: BYTES, timed_out: false });
    expect(big.cut_bytes).toBeGreaterThan(BYTES * 0.99);
    expect(run.summary().outcomes.passed).toBe(1);
    const peakKb = Number(readFileSync(`${place.env.PEAKS}${run.pid}`, "utf8"));
    expect(peakKb).toBeGreaterThan(0);
    expect(peakKb / 1024).toBeLessThan(LIMIT_MB);
  });
});

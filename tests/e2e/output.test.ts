import { describe, expect, it } from "vitest";
import type { Event } from "../../src/events/types.js";
import { exampleAgent, HELLO, QUICK, TASKS, termRun } from "./cli.js";

const ARGS = [HELLO, "--agent", exampleAgent("bash/agent.sh"), "--sandbox", QUICK];
const ESCAPE = "\u001b";

describe.skipIf(!QUICK)("what is printed", () => {
  it("a line for each finished trial, then a table, without colours, when not on a terminal", async () => {
    const args = [TASKS, "-i", "{hello,log}-*", "--agent", "oracle", "--sandbox", QUICK];
    const { stdout, stderr, place } = await termRun([...args, "--concurrency", "1"]);
    const lines = stdout.split("\n");
    expect(lines.filter((line) => line.startsWith("["))).toEqual([
      expect.stringMatching(/^\[1\/2\] ✓ passed {2}hello-world\.1 {2}1 step {2}[\d.]+s$/),
      expect.stringMatching(/^\[2\/2\] ✓ passed {2}log-report\.1 {2}1 step {2}[\d.]+s$/),
    ]);
    expect(stdout).toMatch(/^task +passed +reward/m);
    expect(stdout).toMatch(/^pass rate 100\.0 % \(2\/2\), 95 % interval/m);
    expect(lines.at(-1)).toBe(`results in ${place.out}`);
    expect(stdout).not.toContain(ESCAPE);
    expect(stderr).toBe("");
  });

  it("--json: events as JSON lines and nothing else, the run's end last", async () => {
    const { stdout, stderr, summary } = await termRun([...ARGS, "--json"]);
    const events = stdout.split("\n").map((line) => JSON.parse(line) as Event);
    expect(events[0]).toMatchObject({ type: "run_started", trials: ["hello-world.1"] });
    expect(events.at(-1)).toEqual({
      type: "run_finished",
      position: expect.any(Number),
      time: expect.any(String),
      summary: summary(),
    });
    expect(stderr).toBe("");
  });

  it("--quiet: only the totals", async () => {
    const { stdout, stderr } = await termRun([...ARGS, "--quiet"]);
    expect(stdout.split("\n")).toEqual([
      expect.stringMatching(/^pass rate 100\.0 % \(1\/1\)/),
      expect.stringMatching(/^mean reward 1, 95 % interval 0\.21–1 \(over 1 scored trial\)$/),
      expect.stringMatching(/^1 trial in /),
      expect.stringMatching(/^results in /),
    ]);
    expect(stderr).toBe("");
  });

  it("--verbose: commands with their exit codes, and the agent's stderr", async () => {
    const { stdout } = await termRun([...ARGS, "--verbose"]);
    expect(stdout).toMatch(/hello-world\.1 #1 {2}\$ echo 'Hello, world!' > hello\.txt {2}\(exit 0/);
    expect(stdout).toMatch(/hello-world\.1 #2 {2}\$ cat hello\.txt {2}\(exit 0/);
    expect(stdout).toContain("stderr | step 2, exit code of the last command: 0");
  });

  it("neither commands nor stderr without --verbose", async () => {
    const { stdout } = await termRun(ARGS);
    expect(stdout).not.toContain("cat hello.txt");
    expect(stdout).not.toContain("exit code of the last command");
  });
});

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { agentFile, commandsAgent, eachSandbox, HELLO, makePlace, termRun } from "./cli.js";
import { writeTask } from "./tasks.js";

const SECRET = "sk-e2e-1234567890/+=";
const STDERR = "trials/curious.1/agent.stderr.log";

/** The verifier prints what the agent wrote, or also copies it to its logs. */
const SHOWING = "#!/bin/sh\ncat leak.txt\n";
const KEEPING = `${SHOWING}cp leak.txt /logs/verifier/leak.txt\n`;

const VIEWS = ["env", "cat /proc/[0-9]*/environ | tr '\\0' '\\n'"];

function makeSecretPlace() {
  const place = makePlace();
  Object.assign(place.env, { E2E_API_KEY: SECRET, E2E_PLAIN: "plain as day" });
  return place;
}

eachSandbox("secrets", (sandbox) => {
  async function leak(verifier: string, ...flags: string[]) {
    const place = makeSecretPlace();
    const task = writeTask(place, "curious", { "tests/test.sh": verifier });
    const args = [task, "--agent", agentFile("leaks.sh"), "--sandbox", sandbox, "--verbose"];
    const run = await termRun([...args, ...flags], place);
    expect(run.summary().outcomes.passed, run.stdout).toBe(1);
    return run;
  }

  it("are hidden from an agent that was not given them", async () => {
    const run = await leak(SHOWING);
    expect(run.text(STDERR)).toContain("E2E_PLAIN=plain as day");
    expect(run.text(STDERR)).not.toContain("E2E_API_KEY");
    expect(findHolders(run.place.out)).toEqual([]);
  });

  it.each([
    { flag: "--env NAME", given: "E2E_API_KEY" },
    { flag: "--env NAME=value", given: `E2E_API_KEY=${SECRET}` },
  ])(
    "are in no file and not on the screen, though $flag gives them to an agent that prints them",
    async ({ given }) => {
      const run = await leak(SHOWING, "--env", given);
      expect(run.text(STDERR)).toContain("E2E_API_KEY=[redacted]");
      expect(findHolders(run.place.out)).toEqual([]);
      expect(run.stdout + run.stderr).not.toContain(SECRET);
    },
  );

  it("are not in the verifier's files either", async () => {
    const run = await leak(KEEPING, "--env", "E2E_API_KEY");
    expect(run.text("trials/curious.1/verifier/leak.txt")).toBe("[redacted]\n");
    expect(findHolders(run.place.out)).toEqual([]);
  });

  it.each(VIEWS)("and the rest of the caller's environment are not seen by %s", async (view) => {
    const place = makeSecretPlace();
    const flags = ["--env", "E2E_API_KEY", "--sandbox", sandbox];
    const run = await termRun([HELLO, "--agent", commandsAgent(view), ...flags], place);
    const outputs = run
      .trialEvents("hello-world.1")
      .flatMap((event) => (event.type === "command_finished" ? [event.output] : []));
    expect(outputs).toEqual([expect.stringMatching(/^PATH=/m)]);
    expect(outputs[0]).not.toMatch(/E2E_|TMPDIR|redacted/);
    expect(outputs[0]).not.toContain(place.mark);
  });
});

function findHolders(out: string): string[] {
  return readdirSync(out, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file, "utf8").includes(SECRET));
}

import { describe, expect, it } from "vitest";
import type { Outcome } from "../../src/events/outcomes.js";

import { agentFile, HELLO, QUICK, termRun } from "./cli.js";
import { expectNoTraces } from "./traces.js";

interface Failure {
  agent: string;
  flags: string[];
  outcome: Outcome;
  steps: number;
  reason: string;
}

const FAILURES: Failure[] = [
  {
    agent: "crashes.sh",
    flags: [],
    outcome: "agent_crashed",
    steps: 1,
    reason:
      "the agent exited with code 7 before it completed the task; the end of its stderr:↵the model is on holiday",
  },
  {
    agent: "mumbles.sh",
    flags: [],
    outcome: "invalid_output",
    steps: 1,
    reason: "3 invalid answers in a row",
  },
  {
    agent: "silent.sh",
    flags: ["--step-timeout", "1"],
    outcome: "agent_timeout",
    steps: 1,
    reason: "the agent did not answer within 1 s",
  },
  {
    agent: "idles.sh",
    flags: [],
    outcome: "idle",
    steps: 3,
    reason: "3 answers in a row had neither a command nor task_complete",
  },
  {
    agent: "endless.sh",
    flags: ["--max-steps", "4"],
    outcome: "max_steps",
    steps: 4,
    reason: "the agent did not complete the task within 4 steps",
  },
];

describe.skipIf(!QUICK)("an agent that fails", () => {
  it.each(FAILURES)("$agent: $outcome", async ({ agent, flags, outcome, steps, reason }) => {
    const args = [HELLO, "--agent", agentFile(agent), "--sandbox", QUICK, ...flags];
    const run = await termRun(args);
    expect(run.summary().outcomes[outcome]).toBe(1);
    expect(run.summary().pass_rate).toMatchObject({ passed: 0, of: 1 });
    // The verifier has run nevertheless.
    expect(run.result("hello-world.1")).toMatchObject({ outcome, steps, reward: 0 });
    const line = run.stdout.split("\n").find((text) => text.startsWith("[1/1]"));
    expect(line).toContain(`✗ ${outcome}  hello-world.1`);
    expect(line).toContain(reason);
    expect(run.exitCode).toBe(0);
    await expectNoTraces(run.place);
  });
});

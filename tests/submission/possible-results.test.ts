import { describe, expect, test } from "vitest";
import type { AgentEnd } from "../../src/events/records.js";
import type { Event } from "../../src/events/types.js";
import { listPossibleResults } from "../../src/submission/possible-results.js";
import { readTrace } from "../../src/submission/trace.js";

const part = { type: "part_started", part: "p", number: 1, of: 2, strategy: "mean" };
const lastCounts = { ...part, strategy: "final" };
const sandbox = { type: "sandbox_started" };
const agent = (end: AgentEnd, steps = 2) => ({ type: "agent_finished", end, steps });
const verifier = (reward: number | null) => ({
  type: "verifier_finished",
  reward,
  rewards: reward === null ? null : { reward },
  error: reward === null ? "broken" : null,
});

async function read(events: object[], gradeTimeouts = false): Promise<string[]> {
  async function* log() {
    for (const event of events) yield { time: "", trial: "t.1", ...event } as Event;
  }
  const trace = await readTrace(log());
  expect(trace.repeated).toEqual([]);
  return listPossibleResults(trace, gradeTimeouts).map(
    ({ outcome, reward, steps }) => `${outcome} ${reward} ${steps}`,
  );
}

const STOPPED = ["infra_error null 0", "cancelled null 0"];

describe("what a log allows", () => {
  test.each<[string, object[], string[]]>([
    ["no sandbox", [], [...STOPPED, "skipped null 0"]],
    ["a sandbox, no agent", [sandbox], STOPPED],
    ["passed", [sandbox, agent("completed"), verifier(1)], ["passed 1 2"]],
    ["failed", [sandbox, agent("completed"), verifier(0.5)], ["failed 0.5 2"]],
    ["no reward", [sandbox, agent("completed"), verifier(null)], ["verifier_error null 2"]],
    ["a crash, verified", [sandbox, agent("agent_crashed"), verifier(1)], ["agent_crashed 1 2"]],
    ["a crash, not verified", [sandbox, agent("agent_crashed")], ["agent_crashed null 2"]],
    [
      "completed, not verified",
      [sandbox, agent("completed")],
      ["infra_error null 2", "cancelled null 2"],
    ],
    ["cancelled", [sandbox, agent("cancelled")], ["cancelled null 2"]],
    [
      "two parts: the mean of their rewards",
      [sandbox, part, agent("completed"), verifier(0), part, agent("completed", 3), verifier(1)],
      ["failed 0.5 5"],
    ],
    [
      "two parts: the last reward",
      [
        ...[sandbox, lastCounts, agent("completed"), verifier(0)],
        ...[lastCounts, agent("completed", 3), verifier(1)],
      ],
      ["passed 1 5"],
    ],
    [
      "two parts: the first cause wins",
      [sandbox, part, agent("max_steps"), verifier(1), part, agent("completed"), verifier(1)],
      ["max_steps 1 4"],
    ],
    [
      "the machine failed before the second part",
      [sandbox, part, agent("completed"), verifier(1), part],
      STOPPED,
    ],
  ])("%s", async (_name, events, expected) => {
    expect(await read(events)).toEqual(expected);
  });

  test("graded timeouts", async () => {
    const timeout = [sandbox, agent("agent_timeout")];
    expect(await read([...timeout, verifier(1)], true)).toEqual(["passed 1 2"]);
    expect(await read([...timeout, verifier(0)], true)).toEqual(["agent_timeout 0 2"]);
    expect(await read(timeout, true)).toEqual(["infra_error null 2", "cancelled null 2"]);
    expect(await read(timeout, false)).toEqual(["agent_timeout null 2"]);
  });
});

import { expect, test } from "vitest";
import { limits } from "../src/index.js";
import { AgentProcess } from "./agent-process.js";

test("the time left shrinks and never goes below zero", () => {
  const plenty = limits({ TERM_AGENT_TIMEOUT_SEC: "100000" });
  const before = plenty.timeLeftSec;
  while (plenty.elapsedSec === limits().elapsedSec);
  expect(plenty.timeLeftSec).toBeLessThan(before);
  expect(limits({ TERM_AGENT_TIMEOUT_SEC: "0" }).timeLeftSec).toBe(0);
  expect(limits({}).timeLeftSec).toBe(Number.POSITIVE_INFINITY);
});

test("an agent reads them from its environment", async () => {
  const agent = new AgentProcess(
    "run(() => Response.done(limits().task + (limits().timeLeftSec < 60)));",
    { TERM_TASK: "hello", TERM_AGENT_TIMEOUT_SEC: "60" },
  );
  expect(await agent.ask(1)).toMatchObject({ text: "hellotrue" });
});

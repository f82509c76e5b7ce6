import { beforeAll, describe, expect, it } from "vitest";
import type { SandboxProvider } from "../../src/interfaces/index.js";
import { LIGHTEST, openProvider } from "../sandbox/kinds.js";
import { done, run, runOne, scripted, write } from "../support/trials.js";

// The outcome is the step loop's work, the same in every sandbox.
describe("the outcome", () => {
  let provider: SandboxProvider;
  beforeAll(async () => {
    provider = await openProvider(LIGHTEST);
  });
  const python = (source: string) => ({ file: "agent.py", source: `import sys, time\n${source}` });

  it("is failed when the verifier gives less than 1", async () => {
    const { result } = await runOne({ provider, agent: "nop" });
    expect(result).toMatchObject({ outcome: "failed", reward: 0, steps: 1 });
  });

  it("is agent_crashed, with the exit code and the end of stderr; the reward is recorded", async () => {
    const { result } = await runOne({
      provider,
      agent: python(
        `sys.stdin.readline()
print('{"command": "echo \\'Hello, world!\\' > hello.txt"}', flush=True)
sys.stdin.readline()
sys.exit("out of ideas")`,
      ),
    });
    expect(result).toMatchObject({ outcome: "agent_crashed", reward: 1, steps: 2 });
    expect(result.error?.message).toMatch(/exited with code 1 .*out of ideas/s);
  });

  it("is agent_timeout when a step gets no response", async () => {
    const { result } = await runOne({
      provider,
      limits: { stepTimeoutSec: 0.5 },
      agent: python("time.sleep(1000)"),
    });
    expect(result).toMatchObject({ outcome: "agent_timeout", reward: 0 });
  });

  // Tests that wait for a limit run concurrently, so that it can be long enough for a busy machine.
  const LIMIT_SEC = 6;
  const slow = () => ({
    provider,
    files: {
      "task.toml": `[agent]\ntimeout_sec = ${LIMIT_SEC}\n[verifier]\nreward = 'exit-code'\n`,
    },
    agent: scripted(write, run("sleep 1000"), done),
  });

  it.concurrent("is agent_timeout when the whole time runs out, even in a command", async () => {
    const { result, commands } = await runOne(slow());
    expect(commands.at(-1)).toMatchObject({ timed_out: true, exit_code: 124 });
    expect(result).toMatchObject({ outcome: "agent_timeout", reward: 1, steps: 2 });
  });

  it.concurrent("is passed after a timeout only with --grade-timeouts", async () => {
    const { result } = await runOne({ ...slow(), gradeTimeouts: true });
    expect(result).toMatchObject({ outcome: "passed", reward: 1 });
  });

  it.concurrent("counts what an agent spent, even when it is killed", async () => {
    const spend = (tokens: number) => ({
      ...run("true"),
      data: { usage: { model: "m", input_tokens: tokens, output_tokens: 1, cost_usd: 0.5 } },
    });
    const { result } = await runOne({
      provider,
      agent: scripted(spend(10), spend(20)),
      limits: { stepTimeoutSec: LIMIT_SEC },
    });
    expect(result.outcome).toBe("agent_timeout");
    expect(result.usage).toEqual({
      models: ["m"],
      input_tokens: 30,
      output_tokens: 2,
      cost_usd: 1,
    });
  });

  it("scales the task's time", async () => {
    const tooShort = {
      provider,
      files: { "task.toml": "[agent]\ntimeout_sec = 0.02\n[verifier]\nreward = 'exit-code'\n" },
      agent: scripted(write, done),
    };
    expect((await runOne(tooShort)).result.outcome).toBe("agent_timeout");
    const scaled = await runOne({ ...tooShort, limits: { timeoutMultiplier: 3000 } });
    expect(scaled.result.outcome).toBe("passed");
  });

  it.each([
    ["invalid_output", { agent: scripted("[1]", '{"command": 1}', '{"task_complete": "yes"}') }],
    ["idle", { agent: scripted({}, { text: "hm" }, { command: null }) }],
    ["max_steps", { agent: scripted(write, run("ls"), run("ls")), limits: { maxSteps: 2 } }],
  ])("is %s", async (outcome, trial) => {
    const { result } = await runOne({ provider, ...trial });
    expect(result.outcome).toBe(outcome);
    expect(result.error?.code).toBe(outcome);
  });

  it("is cancelled when the run is interrupted in mid-command", async () => {
    const controller = new AbortController();
    const { result } = await runOne({
      provider,
      agent: scripted(write, run("sleep 1000")),
      signal: controller.signal,
      onEvent: (event) => {
        if (event.type === "command_started" && event.step === 2) controller.abort();
      },
    });
    expect(result).toMatchObject({ outcome: "cancelled", reward: null, steps: 2 });
  });

  it("is skipped for the oracle when the task has no solution", async () => {
    const { result } = await runOne({ provider, agent: "oracle" });
    expect(result).toMatchObject({ outcome: "skipped", error: { code: "skipped" } });
  });
});

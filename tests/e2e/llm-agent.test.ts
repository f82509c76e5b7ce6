import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  eachSandbox,
  exampleAgent,
  HELLO,
  makePlace,
  QUICK,
  startRun,
  TASKS,
  termRun,
} from "./cli.js";
import { COST_OF_TURN, placeWithModel, solver, TURNS } from "./model.js";
import { expectNoTraces, findProcesses } from "./traces.js";

const THREE = ["hello-world", "largest-file", "fix-permissions"];
const CLAUDE = exampleAgent("claude");
const threeTasks = (sandbox: string, agent = CLAUDE) => [
  ...THREE.map((task) => join(TASKS, task)),
  ...["--agent", agent, "--sandbox", sandbox],
];

/** The usage of so many model turns in a summary. */
const usageOf = (turns: number) => ({
  models: ["scripted-model"],
  input_tokens: turns * 150,
  output_tokens: turns * 10,
  cost_usd: expect.closeTo(turns * COST_OF_TURN, 10),
});

eachSandbox("agents-examples/claude", (sandbox) => {
  it("solves three tasks; tokens and cost are in the summary", async () => {
    const { place } = await placeWithModel(solver(THREE));
    const run = await termRun([...threeTasks(sandbox), "--env", "ANTHROPIC_API_KEY"], place);
    expect(run.summary().outcomes.passed, run.stdout).toBe(3);
    expect(run.summary().usage).toEqual(usageOf(3 * TURNS));
    expect(run.result("largest-file.1")).toMatchObject({ steps: TURNS, usage: usageOf(TURNS) });
    const texts = run
      .trialEvents("hello-world.1")
      .flatMap((event) => (event.type === "response" ? [event.text] : []));
    expect(texts).toEqual(["What is there?\n\nI look around.", "Now I do it.", "It is done."]);
  });
});

describe.skipIf(!QUICK)("agents that ask a model", () => {
  it("solve tasks with an OpenAI-compatible server too", async () => {
    const { place, server } = await placeWithModel(solver(THREE));
    const agent = exampleAgent("openai-compatible");
    const run = await termRun([...threeTasks(QUICK, agent), "--env", "OPENAI_API_KEY"], place);
    expect(run.summary().outcomes.passed, run.stdout).toBe(3);
    expect(run.summary().usage).toEqual(usageOf(3 * TURNS));
    expect(new Set(server.requests.map(({ api }) => api))).toEqual(new Set(["openai"]));
  });

  it("have their tokens and cost recorded when they are killed in mid-task", async () => {
    const solve = solver(THREE);
    let stall = () => {};
    const stalled = new Promise<void>((resolve) => {
      stall = resolve;
    });
    const { place } = await placeWithModel((request) => {
      if (request.number < TURNS) return solve(request);
      stall();
      return { ...solve(request), fault: { type: "stall", afterEvents: 4 } };
    });
    const run = startRun([HELLO, "--agent", CLAUDE, "--sandbox", QUICK], place);
    await stalled;
    const processes = await findProcesses(place.mark);
    const agents = processes.filter(({ command }) => command.includes("claude/agent.ts"));
    expect(agents.length).toBeGreaterThan(0);
    for (const { pid } of agents) process.kill(pid, "SIGKILL");
    await run.ended;
    expect(run.result("hello-world.1")).toMatchObject({ outcome: "agent_crashed", steps: TURNS });
    expect(run.summary().usage).toEqual(usageOf(TURNS - 1));
    await expectNoTraces(place);
  });

  it("crash with the reason when the model can't be asked", async () => {
    const { place } = await placeWithModel(() => ({ status: 401 }));
    const run = await termRun([HELLO, "--agent", CLAUDE, "--sandbox", QUICK], place);
    expect(run.result("hello-world.1")).toMatchObject({
      outcome: "agent_crashed",
      error: {
        message: expect.stringMatching(/exited with code 1 .*gave up: the model failed: /s),
      },
    });
  });

  it("are ended immediately when the run is interrupted in mid-stream", async () => {
    let stall = () => {};
    const stalled = new Promise<void>((resolve) => {
      stall = resolve;
    });
    const { place, server } = await placeWithModel(() => {
      stall();
      return { text: "It will take", fault: { type: "stall", afterEvents: 4 } };
    });
    const run = startRun([HELLO, "--agent", CLAUDE, "--sandbox", QUICK], place);
    await stalled;
    run.pressCtrlC();
    await run.ended;
    expect(await server.requests[0]?.ended).toBe(false);
    expect(run.result("hello-world.1").outcome).toBe("cancelled");
    await expectNoTraces(place);
  });

  it("repeat a run from a recording, without a server or a key", async () => {
    const { place, server } = await placeWithModel(solver(THREE));
    const recordings = join(place.dir, "recordings/{task}.{attempt}.jsonl");
    place.env.TERM_MODEL_RECORD = recordings;
    const recorded = await termRun([...threeTasks(QUICK), "--env", "ANTHROPIC_API_KEY"], place);
    expect(recorded.summary().outcomes.passed, recorded.stdout).toBe(3);
    await server.close();

    const elsewhere = makePlace();
    elsewhere.env.TERM_MODEL_REPLAY = recordings;
    const replayed = await termRun(threeTasks(QUICK), elsewhere);
    for (const task of THREE) {
      const trial = `${task}.1`;
      const commands = (run: typeof replayed) =>
        run
          .trialEvents(trial)
          .flatMap((event) => (event.type === "command_started" ? [event.command] : []));
      expect(commands(replayed)).toEqual(commands(recorded));
      expect(commands(replayed)).toHaveLength(TURNS - 1);
      const { outcome, reward, steps, usage } = recorded.result(trial);
      expect(replayed.result(trial)).toMatchObject({ outcome, reward, steps, usage });
    }
    expect(replayed.summary().usage).toEqual(recorded.summary().usage);
  });
});

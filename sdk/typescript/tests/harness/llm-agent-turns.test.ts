import { afterEach, describe, expect, test, vi } from "vitest";
import { call, say, workTool } from "./support/model.js";
import { FINISH, play, shell } from "./support/play.js";

afterEach(() => vi.unstubAllEnvs());

describe("idle steps", () => {
  test("text without a call is one, and the model is told what to do", async () => {
    const { server, trial, answers } = await play({
      script: [say("I think it is done."), {}, FINISH],
    });
    expect(trial.end).toBe("complete");
    expect(answers).toMatchObject([
      { command: null, task_complete: false, text: "I think it is done." },
      { command: null, task_complete: false, text: "The model said nothing." },
      { task_complete: true },
    ]);
    expect(JSON.stringify(server.requests[1]?.body.messages.at(-1))).toContain(
      "You called no tool, so nothing happened. Run a command with `shell`, or call `finish`",
    );
  });

  test("an answer that was cut is one, and the model hears that it was", async () => {
    const { server, trial } = await play({
      script: [{ text: "First, I", stopReason: "max_tokens" }, FINISH],
    });
    expect(trial.end).toBe("complete");
    expect(JSON.stringify(server.requests[1]?.body.messages.at(-1))).toContain("was cut");
  });

  test("the runner's limit on them ends it", async () => {
    const { server, trial } = await play({ script: () => say("Hm.") });
    expect(trial).toMatchObject({ end: "idle", errors: [] });
    // The third was answered, and nobody asked again.
    expect(server.requests.length).toBe(3);
  });
});

describe("turns", () => {
  test("when they are used up it completes and says so", async () => {
    const { trial, answers } = await play({
      script: () => shell("ls"),
      replies: [{}, {}, {}],
      options: { maxTurns: 3 },
    });
    expect(trial).toMatchObject({ end: "complete", commands: ["ls", "ls", "ls"] });
    expect(answers.at(-1)).toMatchObject({
      text: "Stopped after 3 turns, before the model finished.",
    });
  });

  test("are counted over idle steps as well", async () => {
    const { server, trial } = await play({
      script: ({ number }) => (number === 2 ? say("Hm.") : shell("ls")),
      replies: [{}, {}],
      options: { maxTurns: 3 },
    });
    expect(trial).toMatchObject({ end: "complete", commands: ["ls", "ls"] });
    expect(server.requests).toHaveLength(3);
  });

  test("are as many as the runner's steps, or else 100", async () => {
    vi.stubEnv("TERM_MAX_STEPS", "2");
    const few = await play({ script: () => call(["work", {}]) });
    expect(few.server.requests).toHaveLength(2);
    vi.stubEnv("TERM_MAX_STEPS", "");
    const many = await play({ script: () => call(["work", {}]) });
    expect(many.server.requests).toHaveLength(100);
    expect(many.answers).toMatchObject([{ text: expect.stringContaining("after 100 turns") }]);
  });
});

describe("usage", () => {
  const used = (input: number, output: number, cacheRead = 0) => ({
    usage: { input, output, cacheRead },
  });

  test("each step carries what the calls since the last one cost", async () => {
    const { answers } = await play({
      script: [
        { ...call(["work", { what: "a" }]), ...used(10, 1) },
        {
          ...call(["shell", { command: "a" }], ["shell", { command: "b" }]),
          ...used(20, 2, 5),
        },
        { ...say("Hm."), ...used(30, 3) },
        { ...FINISH, ...used(40, 4) },
      ],
      replies: [{}, {}],
      options: { tools: [workTool(() => "")] },
    });
    expect(answers.map(({ data }) => data)).toEqual([
      {
        usage: {
          model: "scripted",
          input_tokens: 35,
          output_tokens: 3,
          cached_tokens: 5,
          cost_usd: 41,
        },
      },
      undefined,
      { usage: expect.objectContaining({ input_tokens: 30, output_tokens: 3, cost_usd: 36 }) },
      { usage: expect.objectContaining({ input_tokens: 40, output_tokens: 4, cost_usd: 48 }) },
    ]);
  });

  test("an unknown cost is left out, not 0", async () => {
    const { answers } = await play({ script: [FINISH], config: { price: undefined } });
    expect(answers[0]?.data).toEqual({
      usage: { model: "scripted", input_tokens: 10, output_tokens: 5, cached_tokens: 0 },
    });
  });
});

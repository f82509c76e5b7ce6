import { describe, expect, test, vi } from "vitest";
import { type LlmAgentOptions, llmAgent } from "../../src/harness/index.js";
import { GiveUp, Request } from "../../src/index.js";
import type { ProviderConfig } from "../../src/llm/index.js";
import { drive, type Reply, scripted } from "../../src/testing/index.js";
import type { Script } from "../llm/support/model-server.js";
import { call, say, scriptedClaude, workTool } from "./support/model.js";

const shell = (command: string) => call(["shell", { command }]);
const FINISH = call(["finish", {}]);

interface Play {
  script: Script;
  replies?: Reply[];
  options?: Partial<LlmAgentOptions>;
  config?: ProviderConfig;
  maxSteps?: number;
}

/** A whole trial of the agent, with the runner's side of the protocol. */
async function play({ script, replies = [], options, config, maxSteps = 100 }: Play) {
  const { server, model } = await scriptedClaude(script, config);
  const agent = llmAgent({ model, ...options });
  const trial = await drive(agent, { shell: scripted(replies), instruction: "Do it.", maxSteps });
  const answers = trial.steps.map(({ response }) => response.toJSON());
  return { server, trial, answers };
}

/** What the model got as results of the calls in its last turn. */
function lastResults(server: Awaited<ReturnType<typeof play>>["server"], request: number) {
  const { content } = server.requests[request - 1]?.body.messages.at(-1) ?? {};
  return content.map((block: { content: unknown; is_error?: boolean }) => {
    const text = typeof block.content === "string" ? block.content : JSON.stringify(block.content);
    return block.is_error ? `error: ${text}` : text;
  });
}

describe("steps", () => {
  test("a call of shell is a step, its result the output, exit code and cwd", async () => {
    const { server, trial, answers } = await play({
      script: [
        { thinking: "Where?", text: "Looking around.", ...shell("ls") },
        shell("cd sub"),
        call(["finish", { summary: "It is done." }]),
      ],
      replies: [
        { command: "ls", output: "a\nb" },
        { command: "cd sub", exitCode: 1, output: "no such directory", cwd: "/app/x" },
      ],
    });
    expect(trial).toMatchObject({ end: "complete", errors: [], commands: ["ls", "cd sub"] });
    expect(answers).toMatchObject([
      { command: "ls", text: "Where?\n\nLooking around.", task_complete: false },
      { command: "cd sub", task_complete: false },
      { command: null, text: "It is done.", task_complete: true },
    ]);
    expect(answers[1]).not.toHaveProperty("text");
    expect(lastResults(server, 2)).toEqual(["[exit code 0, now in /app]\na\nb"]);
    expect(lastResults(server, 3)).toEqual(["[exit code 1, now in /app/x]\nno such directory"]);
  });

  test("the first prompt has the instruction and what the terminal is like", async () => {
    vi.stubEnv("TERM_MAX_STEPS", "30");
    vi.stubEnv("TERM_COMMAND_TIMEOUT_SEC", "60");
    vi.stubEnv("TERM_AGENT_TIMEOUT_SEC", "100000");
    const { server } = await play({ script: [FINISH] });
    vi.unstubAllEnvs();
    const { messages, system, tools } = server.requests[0]?.body ?? {};
    expect(JSON.stringify(messages[0])).toMatch(
      /Do it\..*starts in \/app\..*longer than 60 s is ended.*You have 9\d+ s.*at most 30 turns/,
    );
    expect(JSON.stringify(system)).toContain("call `finish`");
    expect(tools).toMatchObject([{ name: "shell" }, { name: "finish" }]);
  });

  test("several calls in one turn are several steps, the failed ones too", async () => {
    const { server, trial } = await play({
      script: [call(["shell", { command: "false" }], ["shell", { command: "true" }]), FINISH],
      replies: [{ exitCode: 1 }, {}],
    });
    expect(trial).toMatchObject({ end: "complete", commands: ["false", "true"] });
    expect(lastResults(server, 2)).toEqual([
      "[exit code 1, now in /app]",
      "[exit code 0, now in /app]",
    ]);
  });

  test("finish after a command that failed in the same turn is refused", async () => {
    const { server, trial } = await play({
      script: [call(["shell", { command: "make" }], ["finish", {}]), shell("make -B"), FINISH],
      replies: [{ exitCode: 2, output: "broken" }, { exitCode: 1 }],
    });
    expect(lastResults(server, 2)).toEqual([
      "[exit code 2, now in /app]\nbroken",
      "error: A command before it failed. Look at its output, then decide.",
    ]);
    // Once it has seen the failure, the decision is the model's.
    expect(trial).toMatchObject({ end: "complete", commands: ["make", "make -B"] });
  });

  test("an empty command is no step, but an error for the model", async () => {
    const { server, trial } = await play({ script: [shell(" \n"), FINISH] });
    expect(trial).toMatchObject({ end: "complete", commands: [] });
    expect(lastResults(server, 2)).toEqual(["error: The command is empty."]);
  });

  test("other tools run here, and take no step", async () => {
    const seen: string[] = [];
    const { trial, server } = await play({
      script: [call(["work", { what: "a" }]), shell("ls"), FINISH],
      replies: [{}],
      options: { tools: [workTool((what) => seen.push(what))], system: "Be brief." },
    });
    expect(seen).toEqual(["a"]);
    expect(trial.steps).toHaveLength(2);
    expect(JSON.stringify(server.requests[0]?.body.system)).toContain("Be brief.");
  });

  test("a tool can't take the name of those two", async () => {
    const { model } = await scriptedClaude([]);
    const tool = { ...workTool(() => ""), name: "shell" };
    expect(() => llmAgent({ model, tools: [tool] })).toThrow("two tools have the same name");
  });
});

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
    vi.unstubAllEnvs();
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

describe("an unrecoverable error", () => {
  test("is given up on, not completed", async () => {
    const { trial, answers } = await play({
      script: [shell("ls"), { status: 401 }],
      replies: [{}],
    });
    expect(trial).toMatchObject({ end: "stopped", completed: false });
    expect(trial.errors).toEqual([expect.any(GiveUp)]);
    expect(String(trial.errors[0])).toMatch(/^GiveUp: the model failed: /);
    expect(answers).toHaveLength(1);
  });

  test("reports what was spent since the last step", async () => {
    const { trial, answers } = await play({
      script: [call(["work", { what: "a" }]), { status: 401 }],
      options: { tools: [workTool(() => "")] },
    });
    expect(trial.end).toBe("stopped");
    expect(answers).toMatchObject([
      { command: null, task_complete: false, data: { usage: { input_tokens: 10 } } },
    ]);
  });
});

test("an answer that the runner refuses is an error for the model", async () => {
  const { server, model } = await scriptedClaude([
    call(["shell", { command: "a\0" }], ["shell", { command: "b" }]),
    say("Hm."),
    FINISH,
  ]);
  const agent = llmAgent({ model });
  const ask = async (fields: object) =>
    (await agent.solve(new Request({ instruction: "Do it.", cwd: "/app", ...fields }))).toJSON();
  expect(await ask({})).toMatchObject({ command: "a\0" });
  expect(await ask({ error: "no NUL" })).toMatchObject({ command: null, text: "Hm." });
  expect(lastResults(server, 2)).toEqual([
    "error: The command was refused: no NUL",
    "error: Not run: shell failed before it.",
  ]);
  expect(await ask({ error: "too long" })).toMatchObject({ task_complete: true });
  expect(JSON.stringify(server.requests[2]?.body.messages.at(-1))).toContain(
    "The runner said: too long",
  );
  agent.cleanup?.();
});

test("cleanup ends a call in mid-stream, and the step that waits for it", async () => {
  const { server, model } = await scriptedClaude([
    { text: "Long", fault: { type: "stall", afterEvents: 4 } },
  ]);
  let thinking = () => {};
  const begun = new Promise<void>((resolve) => {
    thinking = resolve;
  });
  const agent = llmAgent({ model, handler: { status: thinking } });
  const answer = agent.solve(new Request({ instruction: "Do it." }));
  const refused = expect(answer).rejects.toThrow("it was ended");
  await begun;
  agent.cleanup?.();
  await refused;
  expect(await server.requests[0]?.ended).not.toBe(true);
  await expect(agent.solve(new Request({ instruction: "Do it." }))).rejects.toThrow(GiveUp);
});

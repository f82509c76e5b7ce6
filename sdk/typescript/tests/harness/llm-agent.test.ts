import { afterEach, describe, expect, test, vi } from "vitest";
import { llmAgent } from "../../src/harness/index.js";
import { call, scriptedClaude, workTool } from "./support/model.js";
import { FINISH, lastResults, play, shell } from "./support/play.js";

afterEach(() => vi.unstubAllEnvs());

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

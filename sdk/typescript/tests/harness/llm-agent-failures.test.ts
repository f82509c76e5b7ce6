import { describe, expect, test } from "vitest";
import { llmAgent } from "../../src/harness/index.js";
import { GiveUp, Request } from "../../src/index.js";
import { call, Listener, say, scriptedClaude, workTool } from "./support/model.js";
import { FINISH, lastResults, play, shell } from "./support/play.js";

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
    { thinking: "Hm.", text: "Long", fault: { type: "stall", afterEvents: 8 } },
  ]);
  const listener = new Listener();
  const agent = llmAgent({ model, handler: listener });
  const answer = agent.solve(new Request({ instruction: "Do it." }));
  const refused = expect(answer).rejects.toThrow("it was ended");
  await listener.until("reasoning Hm.");
  agent.cleanup?.();
  await refused;
  expect(await server.requests[0]?.ended).toBe(false);
  await expect(agent.solve(new Request({ instruction: "Do it." }))).rejects.toThrow(GiveUp);
});

import { expect, onTestFinished, test } from "vitest";
import { AgentProcess } from "../agent-process.js";
import { ModelServer, type Script } from "../llm/support/model-server.js";
import { call } from "./support/model.js";

const source = (path: string) => JSON.stringify(new URL(`../../src/${path}`, import.meta.url).href);

const AGENT = `
import { llmAgent } from ${source("harness/index.ts")};
import { claude } from ${source("llm/index.ts")};
const handler = { text: ({ content }) => console.error("said " + content) };
await run(llmAgent({ model: claude(), handler }));
`;

async function start(script: Script, env: Record<string, string> = {}) {
  const server = await ModelServer.start(script);
  onTestFinished(() => server.close());
  const agent = new AgentProcess(AGENT, {
    ANTHROPIC_API_KEY: "key-of-the-test",
    ANTHROPIC_BASE_URL: server.url,
    TERM_MODEL: "scripted",
    ...env,
  });
  return { server, agent };
}

test("works over stdin and stdout, and exits after completion", async () => {
  const { agent } = await start([
    { text: "Looking.", ...call(["shell", { command: "ls" }]) },
    call(["finish", { summary: "Nothing to do." }]),
  ]);
  expect(await agent.ask(1)).toMatchObject({ command: "ls", text: "Looking." });
  expect(await agent.ask(2, { last_command: "ls", output: "", exit_code: 0 })).toMatchObject({
    task_complete: true,
    text: "Nothing to do.",
  });
  expect(await agent.exited).toEqual([0, null]);
  expect(agent.stderr).toBe("said Looking.\n");
});

test("a signal ends a streaming call at once", async () => {
  const { server, agent } = await start([
    {
      text: "Looking.",
      ...call(["shell", { command: "ls" }]),
      fault: { type: "stall", afterEvents: 8 },
    },
  ]);
  agent.send(1);
  await agent.untilStderr("said Looking.");
  agent.child.kill("SIGTERM");
  expect(await agent.exited).toEqual([143, null]);
  expect(await server.requests[0]?.ended).toBe(false);
  expect(await agent.rest()).toEqual([]);
});

test("exits when the runner closes stdin while a command is pending", async () => {
  const { agent } = await start([call(["shell", { command: "ls" }])]);
  await agent.ask(1);
  agent.child.stdin.end();
  expect(await agent.exited).toEqual([0, null]);
});

test("an idle agent exits when the runner closes stdin", async () => {
  const { agent } = await start([{ text: "Hm." }]);
  expect(await agent.ask(1)).toMatchObject({ command: null, text: "Hm." });
  agent.child.stdin.end();
  expect(await agent.exited).toEqual([0, null]);
});

test("a single request is answered even if stdin ends right after it", async () => {
  const { agent } = await start([call(["shell", { command: "ls" }])]);
  agent.send(1);
  agent.child.stdin.end();
  expect(await agent.receive()).toMatchObject({ command: "ls" });
  expect(await agent.exited).toEqual([0, null]);
});

test("an unrecoverable error ends it with exit code 1 and the reason on stderr", async () => {
  const { agent } = await start([{ status: 401 }]);
  agent.send(1);
  expect(await agent.exited).toEqual([1, null]);
  expect(await agent.rest()).toEqual([]);
  expect(agent.stderr).toMatch(/^\[term-sdk\] gave up: the model failed: .*401.*\n$/);
});

test("a missing key ends it before the first request", async () => {
  const { server, agent } = await start([], { ANTHROPIC_API_KEY: "", ANTHROPIC_BASE_URL: "" });
  expect(await agent.exited).toEqual([1, null]);
  expect(agent.stderr).toContain("ANTHROPIC_API_KEY");
  expect(server.requests).toEqual([]);
});

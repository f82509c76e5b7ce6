import { expect, test } from "vitest";
import { AgentProcess } from "./agent-process.js";

const ran = (command: string, output: string, exit_code = 0) => ({
  last_command: command,
  output,
  exit_code,
});

test("each command is a step, and returning completes the task", async () => {
  const agent = new AgentProcess(`runScript(async (terminal, task) => {
    const list = await terminal.run("ls", { text: task.instruction, usage: { inputTokens: 5 } });
    if (!list.has("a.txt")) throw new Error("not there");
    const cat = await terminal.run("cat " + list.match(/\\w+\\.txt/)[0]);
    return \`\${cat.failed} \${cat.exitCode} \${cat.output} \${terminal.cwd}\`;
  });`);
  expect(await agent.ask(1)).toEqual({
    command: "ls",
    task_complete: false,
    text: "test",
    data: { usage: { input_tokens: 5 } },
  });
  expect(await agent.ask(2, ran("ls", "a.txt"))).toEqual({
    command: "cat a.txt",
    task_complete: false,
  });
  expect(await agent.ask(3, { ...ran("cat a.txt", "hm", 1), cwd: "/tmp" })).toEqual({
    command: null,
    task_complete: true,
    text: "true 1 hm /tmp",
  });
  expect(await agent.exited).toEqual([0, null]);
});

test("a returned response is sent complete", async () => {
  const agent = new AgentProcess(
    'runScript(() => Response.cmd("make").withUsage({ costUsd: 0.5 }));',
  );
  expect(await agent.ask(1)).toEqual({
    command: "make",
    task_complete: true,
    data: { usage: { cost_usd: 0.5 } },
  });
});

test("throwing reports the reason and doesn't complete the task", async () => {
  const agent = new AgentProcess('runScript(() => { throw new Error("no compiler"); });');
  expect(await agent.ask(1)).toEqual({
    command: null,
    task_complete: false,
    text: "the script failed: no compiler",
  });
  expect(await agent.exited).toEqual([1, null]);
  expect(agent.stderr).toContain("[term-sdk] the script failed: Error: no compiler\n");
});

test("overlapping commands run in sequence, even if not awaited", async () => {
  const agent = new AgentProcess(`runScript((terminal) => {
    terminal.run("one"); terminal.run("two");
  });`);
  expect(await agent.ask(1)).toMatchObject({ command: "one" });
  expect(await agent.ask(2, ran("one", ""))).toMatchObject({ command: "two" });
  expect(await agent.ask(3, ran("two", ""))).toEqual({ command: null, task_complete: true });
  expect(await agent.exited).toEqual([0, null]);
});

test("a rejected response is an error the script can handle", async () => {
  const agent = new AgentProcess(`runScript(async (terminal) => {
    try { await terminal.run("ls"); } catch (error) { return error.message; }
  });`);
  await agent.ask(1);
  expect(await agent.ask(1, { error: "too long" })).toEqual({
    command: null,
    task_complete: true,
    text: "the runner rejected the response: too long",
  });
});

const WAITING = `runScript(async (terminal) => {
  try { await terminal.run("ls"); } finally { console.error("finally"); }
});`;

test("the end of input ends the pending command and the script", async () => {
  const agent = new AgentProcess(WAITING);
  await agent.ask(1);
  agent.child.stdin.end();
  expect(await agent.exited).toEqual([0, null]);
  expect(agent.stderr).toBe("finally\n");
});

test("so does a signal", async () => {
  const agent = new AgentProcess(WAITING);
  await agent.ask(1);
  agent.child.kill("SIGTERM");
  expect(await agent.exited).toEqual([143, null]);
  expect(agent.stderr).toBe("finally\n");
  expect(await agent.rest()).toEqual([]);
});

test("no request, no script", async () => {
  const agent = new AgentProcess('runScript(() => { console.error("ran"); });');
  agent.child.stdin.end();
  expect(await agent.exited).toEqual([0, null]);
  expect(agent.stderr).toBe("");
});

import { expect, test } from "vitest";
import { AgentProcess } from "./agent-process.js";

const HELLO = `
await run({
  setup() { console.error("setup"); },
  solve(request) { return request.first ? Response.cmd("ls") : Response.done("ok"); },
  cleanup() { console.error("cleanup"); },
});
console.error("after run");
`;
const IDLE = { command: null, task_complete: false };

test("answers each line at once and exits after completion while stdin stays open", async () => {
  const agent = new AgentProcess(HELLO);
  expect(await agent.ask(1)).toEqual({ command: "ls", task_complete: false });
  expect(await agent.ask(2, { last_command: "ls", output: "a", exit_code: 0 })).toEqual({
    command: null,
    task_complete: true,
    text: "ok",
  });
  expect(await agent.exited).toEqual([0, null]);
  expect(agent.stderr).toBe("setup\ncleanup\nafter run\n");
});

test("cleans up at the end of input", async () => {
  const agent = new AgentProcess(HELLO);
  await agent.ask(1);
  agent.child.stdin.end();
  expect(await agent.exited).toEqual([0, null]);
  expect(agent.stderr).toBe("setup\ncleanup\nafter run\n");
});

test("answers what was asked before the end of input", async () => {
  const agent = new AgentProcess(
    // Answers only when it knows that no more will come.
    `run(async () => {
      await new Promise((resolve) => process.stdin.once("end", resolve));
      return Response.cmd("ls");
    });`,
  );
  agent.send(1);
  agent.child.stdin.end();
  expect(await agent.receive()).toEqual({ command: "ls", task_complete: false });
  expect(await agent.exited).toEqual([0, null]);
});

test.each([
  ["SIGTERM", 143],
  ["SIGINT", 130],
  ["SIGHUP", 129],
] as const)("cleans up on %s while it waits for a request", async (signal, code) => {
  const agent = new AgentProcess(HELLO);
  await agent.ask(1);
  agent.child.kill(signal);
  expect(await agent.exited).toEqual([code, null]);
  expect(agent.stderr).toContain("setup\ncleanup\n");
});

test("cleans up on a signal in the middle of a step", async () => {
  const agent = new AgentProcess(`run({
    solve() { console.error("solving"); return new Promise(() => setInterval(() => {}, 1000)); },
    async cleanup() { await null; console.error("cleanup"); },
  });`);
  agent.send(1);
  await agent.untilStderr("solving");
  agent.child.kill("SIGTERM");
  expect(await agent.exited).toEqual([143, null]);
  expect(agent.stderr).toBe("solving\ncleanup\n");
  expect(await agent.rest()).toEqual([]);
});

test("keeps stdout for the protocol", async () => {
  const agent = new AgentProcess(`run({
    setup() { console.log("log"); console.table([1]); },
    solve() { console.info("info"); process.stdout.write("raw\\n"); return Response.done(); },
    cleanup() { console.log("late"); },
  });`);
  agent.send(1);
  expect(await agent.rest()).toEqual(['{"command":null,"task_complete":true}']);
  expect(await agent.exited).toEqual([0, null]);
  for (const word of ["log", "info", "raw", "late"]) expect(agent.stderr).toContain(word);
});

test("an exception becomes an idle step, with a line in the log", async () => {
  const agent = new AgentProcess(`run((request) => {
    if (request.step === 1) throw new Error("boom");
    if (request.step === 2) return Promise.reject("late boom");
    if (request.step === 3) return undefined;
    if (request.step === 4) return Response.cmd("ls").withData({ big: 1n });
    return Response.done();
  });`);
  expect(await agent.ask(1)).toEqual({ ...IDLE, text: "solve failed: boom" });
  expect(await agent.ask(2)).toEqual({ ...IDLE, text: "solve failed: late boom" });
  expect(await agent.ask(3)).toMatchObject({
    ...IDLE,
    text: expect.stringContaining("not undefined"),
  });
  expect(await agent.ask(4)).toMatchObject({ ...IDLE, text: expect.stringContaining("BigInt") });
  expect(await agent.ask(5)).toEqual({ command: null, task_complete: true });
  expect(await agent.exited).toEqual([0, null]);
  expect(agent.stderr).toContain("[term-sdk] solve failed at step 1: Error: boom\n");
});

test("accepts a plain object in wire format", async () => {
  const agent = new AgentProcess('run(() => ({ command: "ls", task_complete: true }));');
  expect(await agent.ask(1)).toEqual({ command: "ls", task_complete: true });
});

test("exits with code 1 after cleanup if setup fails", async () => {
  const agent = new AgentProcess(`run({
    setup() { throw new Error("no key"); },
    solve: () => Response.done(),
    cleanup() { console.error("cleanup"); },
  });`);
  agent.send(1);
  expect(await agent.exited).toEqual([1, null]);
  expect(agent.stderr).toMatch(/setup failed: Error: no key[\s\S]*cleanup/);
  expect(await agent.rest()).toEqual([]);
});

test("logs a cleanup that fails", async () => {
  const agent = new AgentProcess(`run({
    solve: () => Response.done(),
    cleanup() { throw new Error("stuck"); },
  });`);
  expect(await agent.ask(1)).toEqual({ command: null, task_complete: true });
  expect(await agent.exited).toEqual([0, null]);
  expect(agent.stderr).toContain("cleanup failed: Error: stuck");
});

test("exits despite a leftover timer", async () => {
  const agent = new AgentProcess("setInterval(() => {}, 100); run(() => Response.done());");
  expect(await agent.ask(1)).toEqual({ command: null, task_complete: true });
  expect(await agent.exited).toEqual([0, null]);
  expect(agent.stderr).toContain("keeps it alive");
});

test("cleans up when the runner stops reading", async () => {
  const agent = new AgentProcess(HELLO);
  await agent.untilStderr("setup");
  agent.child.stdout.destroy();
  agent.send(1);
  expect(await agent.exited).toEqual([0, null]);
  expect(agent.stderr).toBe("setup\ncleanup\nafter run\n");
});

test("passes large lines intact in both directions", async () => {
  const agent = new AgentProcess("run((request) => Response.done(request.output));");
  const output = "0123456789 äöü 世界 🌍\u2028\n".repeat(40_000);
  const answer = await agent.ask(2, { last_command: "c", output, exit_code: 0 });
  expect(answer).toEqual({ command: null, task_complete: true, text: output });
  expect(await agent.exited).toEqual([0, null]);
});

test("an agent can be a class", async () => {
  const agent = new AgentProcess(`class Mine extends Agent {
    setup() { this.seen = 0; }
    solve() { this.seen += 1; return this.seen < 2 ? Response.cmd("ls") : Response.done(\`\${this.seen}\`); }
  }
  run(new Mine());`);
  await agent.ask(1);
  expect(await agent.ask(2)).toEqual({ command: null, task_complete: true, text: "2" });
});

test("giving up exits with code 1 and the reason, after cleanup, without an idle step", async () => {
  const agent = new AgentProcess(`run({
    solve(request) {
      if (request.first) return Response.cmd("ls");
      throw new GiveUp("the model is gone", { cause: new Error("401") });
    },
    cleanup() { console.error("cleanup"); },
  });`);
  await agent.ask(1);
  agent.send(2);
  expect(await agent.exited).toEqual([1, null]);
  expect(await agent.rest()).toEqual([]);
  expect(agent.stderr).toBe("[term-sdk] gave up: the model is gone\ncleanup\n");
});

test("giving up sends unreported usage", async () => {
  const agent = new AgentProcess(`run(() => {
    throw new GiveUp("no more", { usage: { model: "m", inputTokens: 7, costUsd: 0.5 } });
  });`);
  expect(await agent.ask(1)).toEqual({
    ...IDLE,
    text: "gave up: no more",
    data: { usage: { model: "m", input_tokens: 7, cost_usd: 0.5 } },
  });
  expect(await agent.exited).toEqual([1, null]);
});

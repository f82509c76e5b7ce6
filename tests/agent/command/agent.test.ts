import { describe, expect, it } from "vitest";
import type { AgentSession, Fault } from "../../../src/interfaces/index.js";
import { hostSandbox, type TurnSettings } from "../bench.js";
import { isAlive, until, useBench } from "../support.js";

const bench = useBench();

/** Answers its requests with these, in order, and logs what it got. */
const scripted = (...answers: (object | string)[]) => `import json, os, sys
answers = json.loads(${JSON.stringify(JSON.stringify(answers.map((answer) => (typeof answer === "string" ? answer : JSON.stringify(answer)))))})
for line in sys.stdin:
    open(${JSON.stringify(`${bench.dir}/requests`)}, "a").write(line)
    if answers: print(answers.pop(0), flush=True)
`;
const done = { command: null, task_complete: true };

async function work(source: string, settings: TurnSettings = {}, env: NodeJS.ProcessEnv = {}) {
  const session = await bench.open("agent.py", source, env);
  return session.work("Say hello", bench.turn(settings));
}

const requests = () =>
  bench
    .read("requests")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
const types = () => bench.events.map(({ type }) => type);
const pid = () => bench.find("agent_started").at(-1)?.pid ?? 0;

describe("work", () => {
  it("asks, runs the command, and asks again with what it printed", async () => {
    const end = await work(
      scripted({ command: "echo hi\u{1F600}; exit 3", text: "look", note: 1 }, done),
    );
    expect(end).toEqual({ end: "completed", error: null, exit: { exitCode: 0, signal: null } });
    const none = { last_command: null, output: null, exit_code: null };
    const common = { instruction: "Say hello", cwd: bench.dir };
    const command = "echo hi\u{1F600}; exit 3";
    expect(requests()).toEqual([
      { ...common, step: 1, ...none },
      { ...common, step: 2, last_command: command, output: "hi\u{1F600}", exit_code: 3 },
    ]);
    expect(types()).toEqual([
      "agent_started",
      "step_started",
      "response",
      "command_started",
      "command_finished",
      "step_started",
      "response",
    ]);
    expect(bench.find("agent_started")).toEqual([
      {
        type: "agent_started",
        command: [expect.stringMatching(/python3$/), `${bench.dir}/agent.py`],
        pid: expect.any(Number),
        withheld_env: [],
      },
    ]);
    const response = { type: "response", data: null, duration_sec: expect.any(Number) };
    expect(bench.find("response")).toEqual([
      { ...response, step: 1, command, task_complete: false, text: "look", extra: { note: 1 } },
      { ...response, step: 2, command: null, task_complete: true, text: null, extra: {} },
    ]);
  });

  it("runs a command that comes with the completion", async () => {
    const end = await work(scripted({ command: "echo last > file", task_complete: true }));
    expect(end.end).toBe("completed");
    expect(bench.read("file")).toBe("last\n");
  });

  it("runs the keystrokes of a legacy answer as shell lines", async () => {
    const commands = [{ keystrokes: "cd /\n" }, { keystrokes: "pwd\n", duration: 0.5 }];
    await work(scripted({ commands }, done));
    expect(requests()[1]).toMatchObject({ last_command: "cd /\npwd", output: "/" });
    expect(bench.find("note")).toEqual([
      {
        type: "note",
        text: "legacy answer: its 2 sets of keystrokes run as shell lines, in order",
      },
    ]);
  });

  it("starts a fresh process for each instruction, with steps from 1", async () => {
    const session = await bench.open("agent.py", scripted({ command: "true" }, done));
    const first = await session.work("First", bench.turn());
    const second = await session.work("Second", bench.turn());
    expect([first.end, second.end]).toEqual(["completed", "completed"]);
    expect(requests().map(({ instruction, step }) => [instruction, step])).toEqual([
      ["First", 1],
      ["First", 2],
      ["Second", 1],
      ["Second", 2],
    ]);
    const pids = bench.find("agent_started").map((event) => event.pid);
    expect(new Set(pids).size).toBe(2);
  });
});

describe("the agent's environment", () => {
  const SHOW = `import json, os, sys
sys.stdin.readline()
shown = {name: value for name, value in os.environ.items() if name != "TERM_RUN_OWNER"}
print(json.dumps({"task_complete": True, "data": shown}), flush=True)
`;
  const shown = () => bench.find("response")[0]?.data ?? {};
  const limits = () =>
    Object.fromEntries(Object.entries(shown()).filter(([name]) => name.startsWith("TERM_")));

  it("says what its limits are", async () => {
    await work(SHOW, { timeoutSec: 90 });
    expect(limits()).toEqual({
      TERM_TASK: "hello",
      TERM_ATTEMPT: "2",
      TERM_MAX_STEPS: "7",
      TERM_AGENT_TIMEOUT_SEC: "90",
      TERM_STEP_TIMEOUT_SEC: "30",
      TERM_COMMAND_TIMEOUT_SEC: "20",
    });
  });

  it("says nothing of a time limit when there is none", async () => {
    await work(SHOW);
    expect(limits()).not.toHaveProperty("TERM_AGENT_TIMEOUT_SEC");
  });

  it("holds no credentials", async () => {
    await work(SHOW, {}, { MY_API_KEY: "hunter22", PLAIN: "plain" });
    expect(shown()).toMatchObject({ PLAIN: "plain" });
    expect(shown()).not.toHaveProperty("MY_API_KEY");
    expect(bench.find("agent_started")[0]?.withheld_env).toEqual(["MY_API_KEY"]);
  });
});

describe("what the agent writes besides its answers", () => {
  it("is in the log: 5 MB of stderr, line by line", async () => {
    await work(`import sys
sys.stdin.readline()
for at in range(5000):
    sys.stderr.write("x" * 999 + "\\n")
sys.stderr.write("key hunter22\\n")
print('{"task_complete": true}', flush=True)
`);
    const lines = bench.find("agent_stderr");
    expect(lines).toHaveLength(5001);
    expect(lines.at(0)?.text).toBe("x".repeat(999));
    expect(lines.at(-1)?.text).toBe("key hunter22");
  });

  it("is in the log: noise, with its step", async () => {
    const noisy = (text: string, answer: object) => `${text}\n${JSON.stringify(answer)}`;
    await work(scripted(noisy("one", { command: "true" }), noisy("x".repeat(3000), done)));
    expect(bench.find("agent_noise")).toEqual([
      { type: "agent_noise", step: 1, text: "one" },
      { type: "agent_noise", step: 2, text: "x".repeat(2000) },
    ]);
  });
});

describe("an invalid answer", () => {
  it("gets another chance: the same request with the reason", async () => {
    const end = await work(scripted({ command: 5 }, "{command}", { command: "true" }, done));
    expect(end.end).toBe("completed");
    const problem = '"command" must be string or null, not 5';
    const [first, second] = requests();
    expect(second).toEqual({ ...first, error: problem });
    expect(types().slice(1, 7)).toEqual([
      "step_started",
      "response_invalid",
      "step_started",
      "response_invalid",
      "step_started",
      "response",
    ]);
    const [, again] = bench.find("step_started");
    expect(again).toEqual({ type: "step_started", step: 1, cwd: bench.dir, error: problem });
    expect(bench.find("response_invalid")).toEqual([
      { type: "response_invalid", step: 1, problem, raw: '{"command":5}', in_a_row: 1 },
      expect.objectContaining({ step: 1, raw: "{command}", in_a_row: 2 }),
    ]);
  });

  it.each([
    [1, "an invalid answer: "],
    [2, "2 invalid answers in a row; the last: "],
  ])("ends the work when there are too many in a row (%i)", async (maxInvalid, says) => {
    const wrong = { command: 5 };
    const { end, error } = await work(scripted(wrong, wrong, wrong), { limits: { maxInvalid } });
    expect(end).toBe("invalid_output");
    expect(error).toEqual({
      code: "invalid_output",
      message: `${says}"command" must be string or null, not 5`,
      hint: null,
    });
    expect(bench.find("response_invalid")).toHaveLength(maxInvalid);
  });

  it("no longer counts after a valid one", async () => {
    const wrong = { command: 5 };
    const script = scripted(wrong, { command: "true" }, wrong, done);
    expect((await work(script, { limits: { maxInvalid: 2 } })).end).toBe("completed");
    expect(bench.find("response_invalid").map((event) => event.in_a_row)).toEqual([1, 1]);
  });

  it("quotes the beginning of what was written", async () => {
    await work(scripted({ command: ["x".repeat(5000)] }, done));
    expect(bench.find("response_invalid")[0]?.raw).toHaveLength(2000);
  });
});

describe("a limit", () => {
  it("on steps ends the work and the process", async () => {
    const again = { command: "true" };
    const { end, error } = await work(scripted(again, again, again), { limits: { maxSteps: 2 } });
    expect(end).toBe("max_steps");
    expect(error?.message).toBe("the agent did not complete the task within 2 steps");
    expect(bench.find("step_started")).toHaveLength(2);
    expect(isAlive(pid())).toBe(false);
  });

  it("on idle steps counts those in a row", async () => {
    const idle = { command: " ", text: "hm" };
    const script = scripted(idle, { command: "true" }, idle, idle, done);
    const { end, error } = await work(script, { limits: { maxIdle: 2 } });
    expect(end).toBe("idle");
    expect(error?.message).toBe("2 answers in a row had neither a command nor task_complete");
    expect(requests().at(-1)).toMatchObject({ step: 4, last_command: null, output: null });
  });

  it("on the time for an answer ends the work and the process", async () => {
    const { end, error } = await work("import time; time.sleep(300)", {
      limits: { stepTimeoutSec: 1 },
    });
    expect(end).toBe("agent_timeout");
    expect(error?.message).toBe("the agent did not answer within 1 s");
    expect(isAlive(pid())).toBe(false);
  });

  it("on the time for everything ends a command, then the work", async () => {
    const script = scripted({ command: "exec sleep 300" }, done);
    const { end, error } = await work(script, { timeoutSec: 1 });
    expect(end).toBe("agent_timeout");
    expect(error?.message).toBe("the agent's time for the whole task ran out");
    expect(bench.find("command_finished")[0]).toMatchObject({ exit_code: 124, timed_out: true });
  });

  it("on the time for a command lets the work continue", async () => {
    const script = scripted({ command: "exec sleep 300" }, done);
    const { end } = await work(script, { limits: { commandTimeoutSec: 1 } });
    expect(end).toBe("completed");
    expect(requests()[1]).toMatchObject({ exit_code: 124 });
  });
});

describe("a crash", () => {
  const CRASH = `import sys
sys.stdin.readline()
sys.stderr.write("KeyError: MY_API_KEY hunter22\\n")
sys.exit(3)
`;

  it("is explained by exit code, stderr and the variables that were withheld", async () => {
    const env = { MY_API_KEY: "hunter22", OTHER_TOKEN: "secret-token" };
    expect(await work(CRASH, {}, env)).toEqual({
      end: "agent_crashed",
      error: {
        code: "agent_crashed",
        message:
          "the agent exited with code 3 before it completed the task; " +
          "the end of its stderr:\nKeyError: MY_API_KEY hunter22",
        hint: "These variables were withheld from the agent: MY_API_KEY, OTHER_TOKEN. Pass one with --env NAME.",
      },
      exit: { exitCode: 3, signal: null },
    });
  });

  it("has no hint when nothing was withheld", async () => {
    expect((await work(CRASH)).error?.hint).toBeNull();
  });
});

describe("an interruption", () => {
  it("ends the process while the agent thinks", async () => {
    const stop = new AbortController();
    const end = await work(
      "import sys, time; sys.stdin.readline(); print('hm', flush=True); time.sleep(300)",
      {
        signal: stop.signal,
        onEvent: ({ type }) =>
          type === "agent_noise" && stop.abort(new Error("the run was interrupted")),
      },
    );
    expect(end).toMatchObject({ end: "cancelled", error: { message: "the run was interrupted" } });
    expect(end.exit?.signal).toBe("SIGTERM");
    expect(isAlive(pid())).toBe(false);
  });

  it("ends the process while a command runs", async () => {
    const stop = new AbortController();
    const end = await work(scripted({ command: "exec sleep 300" }), {
      signal: stop.signal,
      onEvent: ({ type }) => type === "command_started" && stop.abort(new Error("stop")),
    });
    expect(end.end).toBe("cancelled");
    expect(isAlive(pid())).toBe(false);
  });

  it("comes from close as well, and work returns", async () => {
    const session = await bench.open("agent.py", "import time; time.sleep(300)");
    const working = session.work("Say hello", bench.turn());
    await until(() => bench.find("step_started").length === 1);
    await session.close();
    expect(await working).toMatchObject({ end: "agent_crashed", exit: { signal: "SIGTERM" } });
    expect(isAlive(pid())).toBe(false);
  });
});

describe("the sandbox", () => {
  /** One that can't run anything any more, and whose fault that is. */
  const broken = (fault: Fault) => ({
    ...hostSandbox(bench.dir),
    run: async () => {
      throw new Error("the engine is gone");
    },
    findFault: async () => fault,
  });

  it("that fails is an infrastructure error, and the process is ended", async () => {
    const fault = { by: "host", reason: "it doesn't answer", isFinal: true } as const;
    const end = await work(scripted({ command: "true" }), { sandbox: broken(fault) });
    expect(end).toMatchObject({
      end: "infra_error",
      error: { code: "infra", message: "the trial could not continue: the engine is gone" },
    });
    expect(isAlive(pid())).toBe(false);
  });

  it("that the agent ended is its failure", async () => {
    const fault = { by: "agent", reason: "it ran out of memory", isFinal: true } as const;
    const end = await work(scripted({ command: "true" }), { sandbox: broken(fault) });
    expect(end).toMatchObject({ end: "failed", error: { message: "it ran out of memory" } });
    expect(isAlive(pid())).toBe(false);
  });

  it("whose shell the agent removed says so to the agent, which goes on", async () => {
    const fault = { by: "agent", reason: "it still works", isFinal: false } as const;
    const script = scripted({ command: "true" }, done);
    expect((await work(script, { sandbox: broken(fault) })).end).toBe("completed");
    expect(requests()[1]).toMatchObject({
      last_command: "true",
      exit_code: 127,
      output: "[term-run: the engine is gone]",
    });
  });

  it("is not reached by a command that is refused, and the agent can try something else", async () => {
    const script = scripted({ command: "touch evil" }, { command: "touch good" }, done);
    const approve = async (command: string) => (command.includes("evil") ? "not today" : null);
    expect((await work(script, { approve })).end).toBe("completed");
    expect(bench.find("command_refused")).toEqual([
      { type: "command_refused", step: 1, command: "touch evil", reason: "not today" },
    ]);
    expect(requests()[1]).toMatchObject({
      last_command: "touch evil",
      exit_code: 126,
      output: "[term-run: this command was not approved: not today]",
    });
    expect(bench.find("command_finished").map(({ step }) => step)).toEqual([2]);
  });
});

describe("close", () => {
  it("does nothing when nothing is left", async () => {
    const session: AgentSession = await bench.open("agent.py", scripted(done));
    await session.work("Say hello", bench.turn());
    await session.close();
    await session.close();
  });
});

import type { ReadStream, WriteStream } from "node:tty";
import { describe, expect, it } from "vitest";
import { commandList } from "../../src/agent/builtin/command-list.js";
import { nop } from "../../src/agent/builtin/nop.js";
import { oracle } from "../../src/agent/builtin/oracle.js";
import { person } from "../../src/agent/builtin/person.js";
import { WorkStopped } from "../../src/agent/work-stopped.js";
import type { Agent, Solution, Task, Terminal } from "../../src/interfaces/index.js";
import type { TurnSettings } from "./bench.js";
import { useBench } from "./support.js";

const bench = useBench();
const COMPLETED = { end: "completed", error: null, exit: null };

async function work(agent: Agent, settings: TurnSettings = {}) {
  const session = await agent.open(bench.context());
  try {
    return await session.work("Say hello", bench.turn(settings));
  } finally {
    await session.close();
  }
}

const types = () => bench.events.map(({ type }) => type);
const responses = () =>
  bench.find("response").map(({ step, command, task_complete, text }) => ({
    step,
    command,
    task_complete,
    text,
  }));
const typed = (...commands: string[]): Solution => ({ files: null, run: { commands }, env: {} });

describe("nop", () => {
  it("completes in one step without a command", async () => {
    expect(await work(nop)).toEqual(COMPLETED);
    expect(types()).toEqual(["step_started", "response"]);
    expect(responses()).toEqual([{ step: 1, command: null, task_complete: true, text: "done" }]);
  });
});

describe("oracle", () => {
  const text = "running the task's solution";

  it("runs a solution's commands, each in a step of its own", async () => {
    const solution = typed("echo one > file", "echo two >> file");
    expect(await work(oracle, { task: { solution } })).toEqual(COMPLETED);
    expect(bench.read("file")).toBe("one\ntwo\n");
    expect(types()).toEqual(
      Array(2).fill(["step_started", "response", "command_started", "command_finished"]).flat(),
    );
    expect(responses()).toEqual([
      { step: 1, command: "echo one > file", task_complete: false, text },
      { step: 2, command: "echo two >> file", task_complete: true, text },
    ]);
  });

  it("uploads a solution's files and runs its script with its variables", async () => {
    bench.write("solve.sh", '#!/bin/sh\necho "$WORD $DEBIAN_FRONTEND" > answer\n');
    const files = { dir: bench.dir, only: ["solve.sh"] };
    const solution = {
      files,
      run: { script: "solve.sh", alwaysBash: false },
      env: { WORD: "it's" },
    };
    expect(await work(oracle, { task: { solution } })).toEqual(COMPLETED);
    expect(bench.read("answer")).toBe("it's noninteractive\n");
    expect(responses()).toHaveLength(1);
  });

  it("is limited by the whole turn only, not by the time for a command", async () => {
    const solution = typed("sleep 1.2; echo done > file");
    const limits = { commandTimeoutSec: 0.1 };
    expect(await work(oracle, { task: { solution }, limits })).toEqual(COMPLETED);
    expect(bench.read("file")).toBe("done\n");
  });

  it("is stopped when the turn's time runs out", async () => {
    const solution = typed("exec sleep 300", "echo more > file");
    const stopped = work(oracle, { task: { solution }, timeoutSec: 0.5 });
    await expect(stopped).rejects.toEqual(WorkStopped.byTime());
    expect(bench.find("command_finished")[0]).toMatchObject({ timed_out: true });
    expect(bench.read("file")).toBe("");
  });

  it("has its steps limited like any agent", async () => {
    const solution = typed("true", "true", "true");
    const stopped = work(oracle, { task: { solution }, limits: { maxSteps: 2 } });
    await expect(stopped).rejects.toMatchObject({ end: "max_steps" });
  });

  it("needs a solution: the task's, or one for each of its parts", () => {
    const task = (solution: Solution | null, ...parts: (Solution | null)[]): Task =>
      ({
        solution,
        parts: parts.length === 0 ? null : { list: parts.map((own) => ({ task: task(own) })) },
      }) as Task;
    const some = typed("true");
    const refusals = [task(null), task(null, some, null)].map((one) => oracle.unsupported?.(one));
    expect(refusals).toEqual(Array(2).fill("it has no solution to run"));
    const accepted = [task(some), task(null, some, some), task(some, null, some)];
    expect(accepted.map((one) => oracle.unsupported?.(one))).toEqual([null, null, null]);
  });
});

describe("a list of commands", () => {
  it("is run for a person, and an empty line is a step without a command", async () => {
    const begun: string[] = [];
    const agent = commandList(["echo hi > file", " "], ({ name }) => begun.push(name));
    expect(await work(agent)).toEqual(COMPLETED);
    expect(agent.name).toBe("person");
    expect(begun).toEqual(["hello"]);
    expect(bench.read("file")).toBe("hi\n");
    expect(responses().map(({ step, task_complete }) => [step, task_complete])).toEqual([
      [1, false],
      [2, true],
    ]);
    expect(bench.find("command_started")).toHaveLength(1);
  });

  it("may be empty", async () => {
    expect(await work(commandList([], () => {}))).toEqual(COMPLETED);
    expect(responses()).toEqual([{ step: 1, command: null, task_complete: true, text: null }]);
  });
});

describe("a person", () => {
  const stdin = {} as ReadStream;
  const stdout = {} as WriteStream;

  async function sit(attach: Terminal["attach"]) {
    const calls: unknown[] = [];
    const agent = person({
      stdin,
      stdout,
      onBegin: ({ name }) => calls.push(name),
      onLeave: (exitCode) => calls.push(exitCode),
    });
    const turn = bench.turn();
    turn.terminal.attach = attach;
    const session = await agent.open(bench.context());
    const end = await session.work("Say hello", turn).catch((error: Error) => error.message);
    return { end, calls };
  }

  it("gets a shell of the turn's terminal, and completes by leaving it", async () => {
    const given: unknown[] = [];
    const { end, calls } = await sit(async (streams) => {
      given.push(streams);
      return 7;
    });
    expect(end).toEqual(COMPLETED);
    expect(given).toEqual([{ stdin, stdout }]);
    expect(calls).toEqual(["hello", 7]);
    expect(types()).toEqual(["step_started", "response"]);
  });

  it("counts as having left the shell when it can't be opened", async () => {
    const { end, calls } = await sit(async () => {
      throw new Error("no terminal");
    });
    expect(end).toBe("no terminal");
    expect(calls).toEqual(["hello", null]);
  });
});

import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { TaskPart } from "../../src/interfaces/index.js";
import { readTask } from "../../src/task/read.js";
import { ENVIRONMENT, type Files, makeFolder, writeFiles } from "./tasks.js";

let folder: ReturnType<typeof makeFolder>;
let dir = "";

beforeEach(() => {
  folder = makeFolder();
  dir = join(folder.dir, "hello");
});
afterEach(() => folder.remove());

const STEPS: Files = {
  "tests/test.sh": "exit 0\n",
  "steps/first/instruction.md": "# canary\nBegin.\n",
  "steps/second/instruction.md": "End.\n",
};
const TWO = '[[steps]]\nname = "first"\n[[steps]]\nname = "second"\n';

const read = (toml: string, files: Files = {}) =>
  readTask(writeFiles(dir, { ...STEPS, "task.toml": toml, ...files }));
const readParts = async (toml: string, files: Files = {}): Promise<[TaskPart, TaskPart]> =>
  (await read(toml, files)).parts?.list as [TaskPart, TaskPart];
const inTask = (...names: string[]) => names.map((name) => ({ dir: join(dir, name), only: null }));

describe("a task with several steps", () => {
  it("has a part for each, in order", async () => {
    const task = await read(TWO);
    expect(task).toMatchObject({ name: "hello", instruction: "", warnings: [], unsupported: null });
    expect(task.parts?.strategy).toBe("mean");
    expect(task.parts?.list.map((part) => part.task.name)).toEqual(["first", "second"]);
    expect(task.parts?.list[0]).toEqual({
      task: {
        name: "first",
        dir,
        digest: task.digest,
        instruction: "Begin.",
        metadata: {},
        agentTimeoutSec: null,
        agentUser: null,
        agentNetwork: null,
        verifier: task.verifier,
        environment: ENVIRONMENT,
        solution: null,
        artifacts: [],
        parts: null,
        warnings: [],
        unsupported: null,
      },
      filesDir: null,
      healthcheck: null,
      minReward: null,
    });
  });

  it("has a strategy", async () => {
    const task = await read(`multi_step_reward_strategy = "final"\n${TWO}`);
    expect(task.parts?.strategy).toBe("final");
  });

  it("is an ordinary one without steps", async () => {
    const task = await read("steps = []\n", { "instruction.md": "Say hello.\n" });
    expect(task).toMatchObject({ instruction: "Say hello.", parts: null });
  });

  it("lets a step inherit what it doesn't set itself, except the verifier's time limit", async () => {
    const [first, second] = await readParts(`
artifacts = ["/a"]
[agent]
timeout_sec = 100
user = "agent"
network_mode = "no-network"
[verifier]
timeout_sec = 50
user = "root"
env = { A = "task", B = "task" }
network_mode = "public"
[[verifier.collect]]
command = "one"
[[steps]]
name = "first"
artifacts = ["/b"]
min_reward = 0.5
[steps.agent]
timeout_sec = 10
user = 1000
network_mode = "public"
[steps.verifier]
timeout_sec = 5
user = "tester"
env = { B = "step" }
network_mode = "no-network"
[[steps.verifier.collect]]
command = "two"
[steps.healthcheck]
command = "true"
[[steps]]
name = "second"
min_reward = { speed = 0.2, size = 1 }
`);
    const artifact = (source: string) => ({
      source,
      destination: null,
      exclude: [],
      service: "main",
    });
    expect(first).toMatchObject({
      minReward: { reward: 0.5 },
      healthcheck: { command: "true", retries: 3 },
      task: {
        agentTimeoutSec: 10,
        agentUser: "1000",
        agentNetwork: { mode: "public" },
        verifier: {
          timeoutSec: 5,
          user: "tester",
          env: { A: "task", B: "step" },
          network: { mode: "none" },
          collect: [{ command: "one" }, { command: "two" }],
        },
        artifacts: [artifact("/a"), artifact("/b")],
      },
    });
    expect(second).toMatchObject({
      minReward: { speed: 0.2, size: 1 },
      healthcheck: null,
      task: {
        agentTimeoutSec: 100,
        agentUser: "agent",
        agentNetwork: { mode: "none" },
        verifier: {
          timeoutSec: 600,
          user: "root",
          env: { A: "task", B: "task" },
          network: { mode: "public" },
          collect: [{ command: "one" }],
        },
        artifacts: [artifact("/a")],
      },
    });
  });

  it("finds each step's folders", async () => {
    const [first, second] = await readParts(`[solution]\nenv = { A = "1" }\n${TWO}`, {
      "solution/solve.sh": "true\n",
      "steps/first/tests/test.sh": "exit 0\n",
      "steps/first/solution/solve.sh": "true\n",
      "steps/first/workdir/setup.sh": "true\n",
    });
    expect(first.filesDir).toBe(join(dir, "steps/first/workdir"));
    expect(first.task.verifier.tests).toEqual(inTask("tests", "steps/first/tests"));
    expect(first.task.solution).toEqual({
      files: { dir: join(dir, "steps/first/solution"), only: null },
      run: { script: "solve.sh", alwaysBash: false },
      env: { A: "1" },
    });
    expect(second.filesDir).toBe(null);
    expect(second.task.verifier.tests).toEqual(inTask("tests"));
    expect(second.task.solution?.files?.dir).toBe(join(dir, "solution"));
  });

  it("needs no tests of its own where every step has some", async () => {
    const [first] = await readParts(TWO, {
      "tests/test.sh": null,
      "steps/first/tests/test.sh": "exit 0\n",
      "steps/second/tests/test.sh": "exit 0\n",
    });
    expect(first.task.verifier.tests).toEqual(inTask("steps/first/tests"));
  });

  it("may verify each step in a separate sandbox", async () => {
    const [first, second] = await readParts(
      `[verifier]
environment_mode = "separate"
[verifier.environment]
cpus = 1
[[steps]]
name = "first"
[[steps]]
name = "second"
[steps.verifier]
environment_mode = "shared"
`,
      { "tests/Dockerfile": "FROM a\n", "steps/first/tests/Dockerfile": "FROM b\n" },
    );
    expect(first.task.verifier).toMatchObject({
      tests: [],
      separate: { source: { kind: "build", contextDir: join(dir, "steps/first/tests") }, cpus: 1 },
    });
    expect(second.task.verifier).toMatchObject({ tests: inTask("tests"), separate: null });
  });

  it("may have a step with a verifier's environment of its own", async () => {
    const [first, second] = await readParts(
      '[[steps]]\nname = "first"\n[steps.verifier.environment]\ndocker_image = "x"\n[[steps]]\nname = "second"\n',
    );
    expect(first.task.verifier.separate).toMatchObject({ source: { kind: "image", image: "x" } });
    expect(second.task.verifier.separate).toBe(null);
  });

  it("can't be honoured when one of its steps can't", async () => {
    const task = await read(`${TWO}[steps.verifier.environment]\ngpus = 1\ndocker_image = "x"\n`);
    expect(task.unsupported).toBe("it needs a GPU");
  });

  it("warns of unknown fields in its steps", async () => {
    const task = await read(`${TWO}min_rewards = 1\n[steps.verifier]\ntimeout = 3\n`);
    expect(task.warnings).toEqual([
      "task.toml:5: steps[1].min_rewards is not a known field; did you mean min_reward?",
      "task.toml:7: steps[1].verifier.timeout is not a known field; did you mean timeout_sec?",
    ]);
  });

  it.each<[string, string, Files, string]>([
    ["no name", "[[steps]]\n", {}, "task.toml:1: steps[0].name is missing"],
    [
      "a name that leads elsewhere",
      '[[steps]]\nname = "../x"\n',
      {},
      'task.toml:2: steps[0].name must be the name of a folder in steps/, not "../x"',
    ],
    [
      "one name twice",
      `${TWO}[[steps]]\nname = "first"\n`,
      {},
      "task.toml:6: steps[2].name is first, which is another step's name too",
    ],
    [
      "no instruction",
      TWO,
      { "steps/second/instruction.md": null },
      "steps/second/instruction.md is missing",
    ],
    [
      "no tests",
      TWO,
      { "tests/test.sh": null },
      "hello: steps/first/tests/test.sh is missing: nothing could verify the result",
    ],
    [
      "a wrong gate",
      `${TWO}min_reward = "all"\n`,
      {},
      'task.toml:5: steps[1].min_reward must be a number or a table of numbers, not "all"',
    ],
    [
      "a wrong gate in a table",
      `${TWO}min_reward = { a = "all" }\n`,
      {},
      'task.toml:5: steps[1].min_reward.a must be a number, not "all"',
    ],
    ["steps that are no list", "steps = 3\n", {}, "task.toml:1: steps must be a list, not 3"],
    [
      "a wrong field in a step",
      `${TWO}[steps.agent]\ntimeout_sec = "x"\n`,
      {},
      'task.toml:6: steps[1].agent.timeout_sec must be a number above 0, not "x"',
    ],
  ])("is refused for %s", async (_, toml, files, problem) => {
    await expect(read(toml, files)).rejects.toMatchObject({
      code: "task_unreadable",
      message: expect.stringContaining(problem),
    });
  });
});

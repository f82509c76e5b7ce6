import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Task } from "../../src/interfaces/index.js";
import { readTask } from "../../src/task/read.js";
import { ENVIRONMENT, type Files, makeFolder, writeYamlTask } from "./tasks.js";

let folder: ReturnType<typeof makeFolder>;
let dir = "";

beforeEach(() => {
  folder = makeFolder();
  dir = join(folder.dir, "hello.v1");
});
afterEach(() => folder.remove());

const withYaml = (yaml: string, files: Files = {}) =>
  readTask(writeYamlTask(dir, { "task.yaml": yaml, ...files }));
const withFiles = (files: Files) => readTask(writeYamlTask(dir, files));
const HELLO = "instruction: Say hello.\n";

describe("a Terminal-Bench task", () => {
  it("has defaults for everything", async () => {
    expect(await readTask(writeYamlTask(dir))).toEqual({
      name: "hello.v1",
      dir,
      instruction: "Say hello.",
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      metadata: { difficulty: "easy", category: "software_engineering", tags: [] },
      agentTimeoutSec: 360,
      agentUser: null,
      agentNetwork: null,
      verifier: {
        timeoutSec: 60,
        env: { TEST_DIR: "/tests" },
        user: "0",
        network: null,
        tests: [
          { dir: join(dir, "tests"), only: null },
          { dir, only: ["run-tests.sh"] },
        ],
        script: "run-tests.sh",
        parser: "pytest",
        separate: null,
        processes: "keep",
        sameShell: false,
        collect: [],
      },
      environment: { ...ENVIRONMENT, source: { kind: "build", contextDir: dir } },
      solution: null,
      artifacts: [],
      parts: null,
      warnings: [],
      unsupported: null,
    } satisfies Task);
  });

  it("is read with every field", async () => {
    const task = await withYaml(
      `# canary
instruction: |-
  Say hello.

  Then stop.
author_name: A
author_email: a@example.org
difficulty: hard
category: security
tags:
  - one
  - two
parser_name: swebench
max_agent_timeout_sec: 900.5
max_test_timeout_sec: 120
run_tests_in_same_shell: true
disable_asciinema: true
estimated_duration_sec: null
expert_time_estimate_min: 5
junior_time_estimate_min: 50
`,
      {
        "docker-compose.yaml": "services:\n  client: {}\n",
        "solution.sh": "true\n",
      },
    );
    expect(task).toMatchObject({
      instruction: "Say hello.\n\nThen stop.",
      agentTimeoutSec: 900.5,
      verifier: { timeoutSec: 120, parser: "swebench", sameShell: true },
      solution: {
        files: { dir, only: ["solution.sh"] },
        run: { script: "solution.sh", alwaysBash: true },
        env: {},
      },
      warnings: [],
      unsupported: null,
    });
    expect(task.metadata).toEqual({
      difficulty: "hard",
      category: "security",
      tags: ["one", "two"],
      author_name: "A",
      author_email: "a@example.org",
      expert_time_estimate_min: 5,
      junior_time_estimate_min: 50,
    });
    expect(task.environment).toMatchObject({ source: { kind: "build", contextDir: dir } });
    expect(task.environment.compose).toEqual({
      file: join(dir, "docker-compose.yaml"),
      service: "client",
      awaited: false,
      variables: {
        T_BENCH_TASK_DOCKER_NAME_PREFIX: "tb__hello-v1",
        T_BENCH_TASK_DOCKER_CLIENT_IMAGE_NAME: "tb__hello-v1__client",
        T_BENCH_CONTAINER_LOGS_PATH: "/logs",
        T_BENCH_CONTAINER_AGENT_LOGS_PATH: "/agent-logs",
        T_BENCH_TEST_DIR: "/tests",
      },
    });
  });

  it.each(["pytest", "swebench", "sweperf", "mlebench", "swelancer"])(
    "parses with %s",
    async (name) => {
      expect((await withYaml(`${HELLO}parser_name: ${name}\n`)).verifier.parser).toBe(name);
    },
  );

  it("may have descriptions, of which the one named base counts", async () => {
    const yaml = (...keys: string[]) =>
      `descriptions:\n${keys.map((key) => `  - key: ${key}\n    description: Say ${key}.\n`).join("")}`;
    expect((await withYaml(yaml("hard", "base"))).instruction).toBe("Say base.");
    expect((await withYaml(yaml("hard", "easy"))).instruction).toBe("Say hard.");
    expect((await withYaml(HELLO + yaml("base"))).instruction).toBe("Say hello.");
  });

  it("is unsupported with what its compose file says and nothing can honour", async () => {
    writeYamlTask(dir, { "docker-compose.yaml": "services: {client: {network_mode: host}}\n" });
    expect((await readTask(dir)).unsupported).toBe(
      'docker-compose.yaml:1: services.client.network_mode "host" would put it on this machine\'s own network: trials must be isolated',
    );
  });

  it("needs no tests/ and no Dockerfile where a compose file is", async () => {
    const task = await withFiles({
      "tests/test_outputs.py": null,
      Dockerfile: null,
      "docker-compose.yaml": "services: {}\n",
    });
    expect(task.verifier.tests).toEqual([{ dir, only: ["run-tests.sh"] }]);
    expect(task.environment.source).toEqual({ kind: "portable" });
  });

  it("may have a solution that is typed", async () => {
    const task = await withFiles({
      "solution.yaml": `- command: echo hello > hello.txt
  min_timeout_sec: 0.1
  max_timeout_sec: 5
  block: true
  append_enter: true
- command: |
    cat <<EOF
    x
    EOF
`,
    });
    expect(task.solution).toEqual({
      files: null,
      run: { commands: ["echo hello > hello.txt", "cat <<EOF\nx\nEOF"] },
      env: {},
    });
  });

  it("prefers solution.sh to solution.yaml", async () => {
    const task = await withFiles({ "solution.sh": "true\n", "solution.yaml": "- command: a\n" });
    expect(task.solution?.run).toEqual({ script: "solution.sh", alwaysBash: true });
  });

  it.each([
    ["- command: vim a\n- command: C-c\n", "C-c"],
    ["- command: Escape\n", "Escape"],
    ["- command: ':wq'\n  append_enter: false\n", ":wq"],
  ])("has no solution that presses keys: %j", async (yaml, key) => {
    const task = await withFiles({ "solution.yaml": yaml });
    expect(task.solution).toBe(null);
    expect(task.warnings).toEqual([
      `solution.yaml presses keys (${key}), which the oracle can't do`,
    ]);
  });

  it.each<[string, Files, string[]]>([
    [
      `${HELLO}\nmax_agent_timeout: 3\n`,
      {},
      ["task.yaml:3: max_agent_timeout is not a known field; did you mean max_agent_timeout_sec?"],
    ],
    [
      HELLO,
      { "run-tests.sh": "true\r\n", "solution.sh": "true\r\n" },
      [
        "run-tests.sh has Windows line endings; bash will fail on them",
        "solution.sh has Windows line endings; bash will fail on them",
      ],
    ],
  ])("warns of what is odd: %j", async (yaml, files, warnings) => {
    expect((await withYaml(yaml, files)).warnings).toEqual(warnings);
  });

  it.each<[string, Files, string]>([
    [
      `${HELLO}parser_name: other\n`,
      {},
      "it needs the parser other for its tests, which is not supported",
    ],
    [`${HELLO}env_name: shared\n`, {}, "its environment (env_name) is not in its folder"],
    [`${HELLO}test_scripts: [a.sh]\n`, {}, "its tests need a.sh, missing in its folder"],
    [
      "descriptions: [{ key: base, description: Say hello. }]\n",
      { "run-tests.sh": null },
      "its tests need a run-tests.sh, missing in its folder",
    ],
  ])("can't be honoured: %j", async (yaml, files, reason) => {
    expect((await withYaml(yaml, files)).unsupported).toBe(reason);
  });

  it.each([
    ["instruction: 'x\n", "task.yaml:2:1: Missing closing 'quote"],
    ["instruction: a\ninstruction: b\n", "task.yaml:2:1: Map keys must be unique"],
    ["a: b: c\n", "task.yaml:1:4: Nested mappings are not allowed in compact mappings"],
    ["- a\n", "task.yaml: must be a table of fields"],
    ["", "task.yaml: must be a table of fields"],
    ["difficulty: easy\n", "task.yaml: instruction is missing"],
    ["instruction: ''\n", 'task.yaml:1: instruction must be a string that isn\'t empty, not ""'],
    ["instruction: 3\n", "task.yaml:1: instruction must be a string, not 3"],
    [
      `${HELLO}max_agent_timeout_sec: soon\n`,
      'task.yaml:2: max_agent_timeout_sec must be a number above 0, not "soon"',
    ],
    [`${HELLO}tags: one\n`, 'task.yaml:2: tags must be a list, not "one"'],
    [`${HELLO}tags:\n  - one\n  - 2\n`, "task.yaml:4: tags[1] must be a string, not 2"],
    ["descriptions:\n  - key: base\n", "task.yaml:2: descriptions[0].description is missing"],
    [
      `${HELLO}run_tests_in_same_shell: maybe\n`,
      'task.yaml:2: run_tests_in_same_shell must be true or false, not "maybe"',
    ],
  ])("is refused with file, line and field: %j", async (yaml, problem) => {
    await expect(withYaml(yaml)).rejects.toMatchObject({
      code: "task_unreadable",
      message: expect.stringContaining(`${join(dir, problem)}`),
    });
  });

  it.each<[Files, string]>([
    [{ "run-tests.sh": null }, "run-tests.sh is missing: nothing could verify the result"],
    [{ Dockerfile: null }, "it has neither a docker-compose.yaml nor a Dockerfile"],
    [{ "task.yaml": Buffer.from([0x61, 0xff]) }, "task.yaml:1: not UTF-8 text"],
    [{ "solution.yaml": "a: 1\n" }, "commands must be a list"],
    [{ "solution.yaml": "- command: a\n- command: 2\n" }, "solution.yaml:2: commands[1].command"],
  ])("is refused for its files: %j", async (files, problem) => {
    await expect(withFiles(files)).rejects.toMatchObject({
      code: "task_unreadable",
      message: expect.stringContaining(problem),
    });
  });
});

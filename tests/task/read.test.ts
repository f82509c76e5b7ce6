import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readTask } from "../../src/task/read.js";
import { fillTemplates } from "../../src/task/templates.js";
import { makeFolder, writeTask } from "./tasks.js";

let folder: ReturnType<typeof makeFolder>;
let dir = "";

beforeEach(() => {
  folder = makeFolder();
  dir = join(folder.dir, "hello");
});
afterEach(() => {
  vi.unstubAllEnvs();
  folder.remove();
});

const withToml = (toml: string) => readTask(writeTask(dir, { "task.toml": toml }));
const withInstruction = (text: string) => readTask(writeTask(dir, { "instruction.md": text }));

describe("readTask", () => {
  it("fills in defaults", async () => {
    expect(await readTask(writeTask(dir))).toEqual({
      name: "hello",
      dir,
      instruction: "Say hello.",
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      metadata: {},
      agentTimeoutSec: null,
      verifier: { timeoutSec: 600, env: {}, testsDir: join(dir, "tests") },
      environment: {
        source: { kind: "portable" },
        filesDir: null,
        buildTimeoutSec: 600,
        cpus: null,
        memoryMb: null,
        storageMb: null,
        internet: null,
        workdir: null,
        env: {},
      },
      solution: null,
      unsupported: null,
    });
  });

  it("reads everything that is given", async () => {
    const task = await readTask(
      writeTask(dir, {
        "task.toml": `
[task]
name = "org/hello"
[metadata]
difficulty = "easy"
tags = ["a"]
[agent]
timeout_sec = 120.5
[verifier]
timeout_sec = 30
env = { A = "1" }
[environment]
build_timeout_sec = 60
cpus = 2
memory_mb = 2048
storage_mb = 10240
allow_internet = false
workdir = "/app"
env = { B = "2" }
[solution]
env = { C = "3" }
`,
        "environment/Dockerfile": "FROM debian\n",
        "environment/files/data.txt": "data\n",
        "solution/solve.sh": "true\n",
      }),
    );
    expect(task).toMatchObject({
      name: "org/hello",
      metadata: { difficulty: "easy", tags: ["a"] },
      agentTimeoutSec: 120.5,
      verifier: { timeoutSec: 30, env: { A: "1" } },
      environment: {
        source: { kind: "build", contextDir: join(dir, "environment") },
        filesDir: join(dir, "environment/files"),
        buildTimeoutSec: 60,
        cpus: 2,
        memoryMb: 2048,
        storageMb: 10240,
        internet: false,
        workdir: "/app",
        env: { B: "2" },
      },
      solution: { dir: join(dir, "solution"), env: { C: "3" } },
      unsupported: null,
    });
  });

  it("prefers a ready image to a Dockerfile", async () => {
    const toml = '[environment]\ndocker_image = "debian:12"\n';
    const files = { "task.toml": toml, "environment/Dockerfile": "FROM x\n" };
    const task = await readTask(writeTask(dir, files));
    expect(task.environment.source).toEqual({ kind: "image", image: "debian:12" });
  });

  it.each([
    ['memory = "4G"', 4096],
    ['memory = "512M"', 512],
    ['memory = "1.5g"', 1536],
    ['memory = "2048K"', 2],
    ["memory_mb = 4096", 4096],
    ['memory_mb = "4096"', 4096],
  ])("understands %s", async (line, memoryMb) => {
    expect((await withToml(`[environment]\n${line}\n`)).environment.memoryMb).toBe(memoryMb);
  });

  it.each([
    ["[agent]\ntimeout_sec = 'long'", 'agent.timeout_sec must be a number above 0, not "long"'],
    ["[agent]\ntimeout_sec = 0", "agent.timeout_sec must be a number above 0, not 0"],
    ["[agent]\ntimeout_sec = true", "agent.timeout_sec must be a number above 0, not true"],
    ["[verifier]\ntimeout_sec = -5", "verifier.timeout_sec must be a number above 0, not -5"],
    ["[verifier]\nenv = { A = 1 }", "verifier.env.A must be a string, not 1"],
    ["verifier = 3", "verifier must be a table, not 3"],
    ["[environment]\ncpus = []", "environment.cpus must be a number above 0, not []"],
    ["[environment]\nworkdir = 1", "environment.workdir must be a string, not 1"],
    [
      '[environment]\nallow_internet = "no"',
      'environment.allow_internet must be true or false, not "no"',
    ],
    [
      '[environment]\nmemory = "lots"',
      'environment.memory must be a size like "4G" or "512M", not "lots"',
    ],
    ["[task]\nname = 5", "task.name must be a string, not 5"],
  ])("names the file and the field: %j", async (toml, problem) => {
    await expect(withToml(toml)).rejects.toMatchObject({
      code: "task_unreadable",
      message: `${join(dir, "task.toml")}: ${problem}`,
    });
  });

  it("names the file when it isn't TOML", async () => {
    await expect(withToml("[agent\n")).rejects.toMatchObject({
      code: "task_unreadable",
      message: expect.stringContaining(join(dir, "task.toml")),
    });
  });

  it("needs an instruction that says something", async () => {
    const file = join(dir, "instruction.md");
    await expect(withInstruction(" \n\n")).rejects.toThrow(`${file} is empty`);
    rmSync(file);
    await expect(readTask(dir)).rejects.toMatchObject({
      code: "task_unreadable",
      message: `${file} is missing`,
    });
  });

  it("needs a verifier", async () => {
    await expect(readTask(writeTask(dir, { "tests/test.sh": null }))).rejects.toMatchObject({
      code: "task_unreadable",
      message: expect.stringContaining("tests/test.sh is missing"),
    });
  });

  it.each([
    ["<!-- hello-canary GUID 1234 -->\n\nSay hello.\n", "Say hello."],
    ["# bench-canary GUID 1234\nSay hello.\n", "Say hello."],
    ["<!-- CANARY a -->\n# canary b\n\n\nSay hello.\n", "Say hello."],
    ["Say hello.\n# canary in the text\n", "Say hello.\n# canary in the text"],
    ["# Heading\n\nSay hello.\n\n", "# Heading\n\nSay hello."],
    ["Put a canary in the cage.\n", "Put a canary in the cage."],
  ])("drops canary lines at the top: %j", async (text, instruction) => {
    expect((await withInstruction(text)).instruction).toBe(instruction);
  });

  it("fills in templates from the caller's environment", async () => {
    vi.stubEnv("TASK_TEST_SET", "from caller");
    const task = await withToml(`[verifier.env]
A = "\${TASK_TEST_SET}"
B = "\${TASK_TEST_UNSET:-default}"
C = "\${TASK_TEST_SET:-default}"
D = "\${TASK_TEST_UNSET:-}"
E = "in \${TASK_TEST_SET} text"
`);
    expect(task.verifier.env).toEqual({
      A: "from caller",
      B: "default",
      C: "from caller",
      D: "",
      E: `in \${TASK_TEST_SET} text`,
    });
  });

  it("names a template that can't be filled in", async () => {
    const template = `\${TASK_TEST_UNSET}`;
    await expect(withToml(`[environment.env]\nA = "${template}"\n`)).rejects.toThrow(
      `${join(dir, "task.toml")}: environment.env.A is ${template}, and TASK_TEST_UNSET is not set`,
    );
    expect(fillTemplates({ A: template }, "x", { TASK_TEST_UNSET: "1" })).toEqual({ A: "1" });
  });

  it.each([
    ["[[steps]]\nname = 'a'", "several steps"],
    ["[environment]\ngpus = 1", "GPU"],
    ["[environment]\nos = 'windows'", "Windows"],
    ["[verifier]\nenvironment_mode = 'separate'", "container of its own"],
    ["[agent]\nnetwork_mode = 'none'", "network_mode"],
    ["[agent]\nuser = 'bob'", "another user"],
    ["[environment.healthcheck]\ncommand = 'true'", "health checks"],
  ])("says what can't be honoured: %j", async (toml, why) => {
    expect((await withToml(toml)).unsupported).toContain(why);
  });

  it("says that compose files can't be honoured", async () => {
    writeTask(dir, { "environment/docker-compose.yaml": "services: {}\n" });
    expect((await readTask(dir)).unsupported).toContain("docker-compose.yaml");
  });
});

describe("the digest", () => {
  it("is the same for the same content, wherever it is", async () => {
    const here = await readTask(writeTask(dir));
    const there = await readTask(writeTask(join(folder.dir, "elsewhere")));
    expect(there.digest).toBe(here.digest);
  });

  it.each([
    ["instruction.md", "Say goodbye.\n"],
    ["task.toml", "[agent]\ntimeout_sec = 5\n"],
    ["tests/test.sh", "exit 1\n"],
    ["tests/more/data.txt", "data\n"],
    ["environment/Dockerfile", "FROM debian\n"],
    ["solution/solve.sh", "true\n"],
  ])("changes with %s", async (file, content) => {
    const before = await readTask(writeTask(dir));
    const after = await readTask(writeTask(dir, { [file]: content }));
    expect(after.digest).not.toBe(before.digest);
  });

  it("changes when a file is renamed", async () => {
    const before = await readTask(writeTask(dir, { "tests/a": "x" }));
    rmSync(join(dir, "tests/a"));
    writeFileSync(join(dir, "tests/b"), "x");
    expect((await readTask(dir)).digest).not.toBe(before.digest);
  });

  it.each(["README.md", "tests/__pycache__/a.pyc", "tests/.DS_Store", "tests/test.sh~"])(
    "does not change with %s",
    async (file) => {
      const before = await readTask(writeTask(dir));
      const after = await readTask(writeTask(dir, { [file]: "noise" }));
      expect(after.digest).toBe(before.digest);
    },
  );
});

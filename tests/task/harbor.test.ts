import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Environment, Task } from "../../src/interfaces/index.js";
import { readTask } from "../../src/task/read.js";
import { ENVIRONMENT, type Files, makeFolder, minimalTask, writeTask } from "./tasks.js";

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

const withToml = (toml: string, files: Files = {}) =>
  readTask(writeTask(dir, { "task.toml": toml, ...files }));
const withInstruction = (text: string) => readTask(writeTask(dir, { "instruction.md": text }));

describe("a Harbor task", () => {
  it("has defaults for everything", async () => {
    expect(await readTask(writeTask(dir))).toEqual({
      ...minimalTask(dir),
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it("is read with every field", async () => {
    const task = await withToml(
      `
schema_version = "1.4"
source = "made here"
artifacts = ["/app/out.txt", { source = "/app/logs", destination = "logs", exclude = ["*.tmp"] }]

[task]
name = "org/hello"
version = "2.1"
description = "Says hello."
authors = [{ name = "A", email = "a@example.org" }, { name = "B" }]
keywords = ["greeting"]

[metadata]
difficulty = "easy"
tags = ["a"]

[agent]
timeout_sec = 120.5
user = "agent"
network_mode = "no-network"

[verifier]
timeout_sec = 30
user = 0
env = { A = "1" }
network_mode = "public"

[[verifier.collect]]
command = "tar cf /logs/artifacts/db.tar /db"

[[verifier.collect]]
command = "dump"
service = "db"
timeout_sec = 5
user = 70

[environment]
build_timeout_sec = 60
cpus = 2
memory_mb = 2048
storage_mb = 10240
gpus = 0
os = "Linux"
allow_internet = false
workdir = "/app"
env = { B = "2" }

[environment.healthcheck]
command = "test -e /ready"
interval_sec = 1
timeout_sec = 2
start_period_sec = 3
start_interval_sec = 0.5
retries = 4

[solution]
env = { C = "3" }
`,
      {
        "environment/Dockerfile": "FROM debian\n",
        "solution/solve.sh": "true\n",
      },
    );
    expect(task).toEqual({
      name: "org/hello",
      dir,
      instruction: "Say hello.",
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      metadata: {
        source: "made here",
        version: "2.1",
        description: "Says hello.",
        authors: [{ name: "A", email: "a@example.org" }, { name: "B" }],
        keywords: ["greeting"],
        difficulty: "easy",
        tags: ["a"],
      },
      agentTimeoutSec: 120.5,
      agentUser: "agent",
      agentNetwork: null,
      verifier: {
        timeoutSec: 30,
        env: { A: "1" },
        user: "0",
        network: { mode: "public" },
        tests: [{ dir: join(dir, "tests"), only: null }],
        script: "test.sh",
        parser: "reward",
        separate: null,
        processes: "keep",
        sameShell: false,
        collect: [
          {
            command: "tar cf /logs/artifacts/db.tar /db",
            service: "main",
            timeoutSec: 60,
            user: null,
          },
          { command: "dump", service: "db", timeoutSec: 5, user: "70" },
        ],
      },
      environment: {
        source: { kind: "build", contextDir: join(dir, "environment") },
        filesDir: null,
        compose: null,
        buildTimeoutSec: 60,
        cpus: 2,
        memoryMb: 2048,
        storageMb: 10240,
        network: { mode: "none" },
        workdir: "/app",
        env: { B: "2" },
        healthcheck: {
          command: "test -e /ready",
          intervalSec: 1,
          timeoutSec: 2,
          startPeriodSec: 3,
          startIntervalSec: 0.5,
          retries: 4,
        },
        hardened: false,
      },
      solution: {
        files: { dir: join(dir, "solution"), only: null },
        run: { script: "solve.sh", alwaysBash: false },
        env: { C: "3" },
      },
      artifacts: [
        { source: "/app/out.txt", destination: null, exclude: [], service: "main" },
        { source: "/app/logs", destination: "logs", exclude: ["*.tmp"], service: "main" },
      ],
      parts: null,
      warnings: [],
      unsupported: null,
    } satisfies Task);
  });

  it("has defaults for its health check", async () => {
    const task = await withToml('[environment.healthcheck]\ncommand = "true"\n');
    expect(task.environment.healthcheck).toEqual({
      command: "true",
      intervalSec: 5,
      timeoutSec: 30,
      startPeriodSec: 0,
      startIntervalSec: 5,
      retries: 3,
    });
  });

  it("prefers its metadata to its package section", async () => {
    const toml =
      '[task]\nname = "org/a"\ndescription = "x"\n[metadata]\ndescription = "y"\nkeywords = []\n';
    expect((await withToml(toml)).metadata).toEqual({ description: "y", keywords: [] });
  });

  it.each<[string, Partial<Environment>]>([
    ['memory = "4G"', { memoryMb: 4096 }],
    ['memory = "512M"', { memoryMb: 512 }],
    ['memory = "1.5g"', { memoryMb: 1536 }],
    ['memory = "2048K"', { memoryMb: 2 }],
    ['storage = "10G"', { storageMb: 10240 }],
    ["memory_mb = 4096", { memoryMb: 4096 }],
    ['memory_mb = "4096"', { memoryMb: 4096 }],
    ["memory_mb = 4096.0", { memoryMb: 4096 }],
    ['memory = "4G"\nmemory_mb = 4096', { memoryMb: 4096 }],
    ["memory = 4", { memoryMb: null }],
    ['cpus = "2"', { cpus: 2 }],
    ["allow_internet = true", { network: { mode: "public" } }],
    ["allow_internet = false", { network: { mode: "none" } }],
    ['network_mode = "public"\nallow_internet = false', { network: { mode: "public" } }],
    ['network_mode = "no-network"\nallow_internet = true', { network: { mode: "none" } }],
    ['network_mode = "allowlist"', { network: { mode: "none" } }],
    ['network_mode = "allowlist"\nallowed_hosts = []', { network: { mode: "none" } }],
    [
      'network_mode = "allowlist"\nallowed_hosts = ["Example.ORG.", "*.b.c", "10.0.0.0/8", "::1"]',
      { network: { mode: "allowlist", hosts: ["example.org", "*.b.c", "10.0.0.0/8", "::1"] } },
    ],
    [
      'allowed_hosts = ["a.b"]\nallow_internet = true',
      { network: { mode: "allowlist", hosts: ["a.b"] } },
    ],
  ])("understands %j", async (lines, expected) => {
    const { environment } = await withToml(`[environment]\n${lines}\n`);
    expect(environment).toMatchObject(expected);
  });

  it.each<[string, Task["agentNetwork"]]>([
    ['[agent]\nnetwork_mode = "no-network"', { mode: "none" }],
    ['[agent]\nnetwork_mode = "public"', { mode: "public" }],
    ['[environment]\nnetwork_mode = "public"\n[agent]\nnetwork_mode = "public"', null],
    ["[environment]\nallow_internet = false", null],
    ["[agent]\nallowed_hosts = ['a.b']", { mode: "allowlist", hosts: ["a.b"] }],
    ["[environment]\nallowed_hosts = ['a.b']\n[agent]\nallowed_hosts = ['A.b.']", null],
  ])("has a network for the agent only where it differs: %j", async (toml, network) => {
    expect((await withToml(toml)).agentNetwork).toEqual(network);
  });
});

describe("where the image of a Harbor task comes from", () => {
  const image = '[environment]\ndocker_image = "debian:12"\n';
  const ready = { kind: "image", image: "debian:12" };
  const built = () => ({ kind: "build", contextDir: join(dir, "environment") });
  const cases: [string, Files, () => object, string | null][] = [
    ["nothing", {}, () => ({ kind: "portable" }), null],
    ["files/", { "environment/files/a": "a" }, () => ({ kind: "portable" }), "environment/files"],
    ["a Dockerfile", { "environment/Dockerfile": "FROM x\n" }, built, null],
    [
      "a Dockerfile that copies files/ itself",
      { "environment/Dockerfile": "FROM x\n", "environment/files/a": "a" },
      built,
      null,
    ],
    ["an image", { "task.toml": image }, () => ready, null],
    [
      "an image, and files",
      { "task.toml": image, "environment/data/a": "a" },
      () => ready,
      "environment",
    ],
    [
      "an image, and a Dockerfile",
      { "task.toml": image, "environment/Dockerfile": "FROM x\n", "environment/a": "a" },
      () => ready,
      null,
    ],
    [
      "an image, and services",
      { "task.toml": image, "environment/docker-compose.yaml": "services: {}\n" },
      () => ready,
      null,
    ],
  ];
  it.each(cases)("%s", async (_, files, source, filesDir) => {
    const { environment } = await readTask(writeTask(dir, files));
    expect(environment.source).toEqual(source());
    expect(environment.filesDir).toBe(filesDir && join(dir, filesDir));
  });

  it("is unsupported with what a compose file says and nothing can honour", async () => {
    const file = "services:\n  db:\n    image: x\n    privileged: true\n    gpus: all\n";
    const task = await readTask(writeTask(dir, { "environment/docker-compose.yaml": file }));
    expect(task.unsupported).toMatch(
      /^docker-compose\.yaml:5: services\.db\.gpus needs a GPU; docker-compose\.yaml:4: services\.db\.privileged would/,
    );
  });

  it("can't be read with a compose file that is wrong", async () => {
    const file = "services:\n  db:\n    image: x\n    mem_limit: much\n";
    writeTask(dir, { "environment/docker-compose.yaml": file });
    await expect(readTask(dir)).rejects.toMatchObject({
      code: "task_unreadable",
      message: `${join(dir, "environment/docker-compose.yaml")}:4: services.db.mem_limit must be a size such as 512m, not "much"`,
    });
  });

  it("gives a compose file its variables", async () => {
    const task = await withToml(
      `[environment]
docker_image = "debian:12"
cpus = 2
memory = "1G"
env = { PORT = "80", TEST_DIR = "/elsewhere" }
`,
      { "environment/docker-compose.yaml": "services:\n  main: {}\n" },
    );
    expect(task.environment.compose).toEqual({
      file: join(dir, "environment/docker-compose.yaml"),
      service: "main",
      awaited: true,
      variables: {
        PORT: "80",
        CONTEXT_DIR: join(dir, "environment"),
        MAIN_IMAGE_NAME: expect.stringMatching(/^hb__[0-9a-f]{64}$/),
        PREBUILT_IMAGE_NAME: "debian:12",
        CPUS: "2",
        MEMORY: "1024M",
        ENV_VERIFIER_LOGS_PATH: "/logs/verifier",
        ENV_AGENT_LOGS_PATH: "/logs/agent",
        ENV_ARTIFACTS_PATH: "/logs/artifacts",
        TEST_DIR: "/tests",
      },
    });
    expect(task.unsupported).toBe(null);
  });

  it("leaves out variables of what isn't set, and ignores other names", async () => {
    const compose = "environment/docker-compose.yaml";
    const plain = await readTask(writeTask(dir, { [compose]: "services: {}\n" }));
    expect(Object.keys(plain.environment.compose?.variables ?? {})).toEqual([
      "CONTEXT_DIR",
      "MAIN_IMAGE_NAME",
      "ENV_VERIFIER_LOGS_PATH",
      "ENV_AGENT_LOGS_PATH",
      "ENV_ARTIFACTS_PATH",
      "TEST_DIR",
    ]);
    const other = join(folder.dir, "other");
    writeTask(other, { "environment/docker-compose.yml": "services: {}\n" });
    expect((await readTask(other)).environment.compose).toBe(null);
  });
});

describe("a separate verifier", () => {
  const separate = '[verifier]\nenvironment_mode = "separate"\n';
  const tests = () => join(dir, "tests");

  it("is built from the tests, as the task's environment is otherwise", async () => {
    const { verifier } = await withToml(
      `${separate}[environment]
cpus = 2
build_timeout_sec = 50
env = { A = "1" }
[environment.healthcheck]
command = "true"
`,
      {
        "environment/Dockerfile": "FROM a\n",
        "tests/Dockerfile": "FROM b\n",
        "tests/test.sh": null,
      },
    );
    expect(verifier).toMatchObject({ tests: [], script: "test.sh" });
    expect(verifier.separate).toEqual({
      ...ENVIRONMENT,
      source: { kind: "build", contextDir: tests() },
      cpus: 2,
      buildTimeoutSec: 50,
      env: { A: "1" },
    });
  });

  it("may have an environment of its own, whose presence is enough", async () => {
    const { verifier } = await withToml(
      `[environment]
cpus = 2
build_timeout_sec = 50
[verifier]
network_mode = "no-network"
[verifier.environment]
docker_image = "python:3"
memory_mb = 512
network_mode = "no-network"
build_timeout_sec = 9
`,
    );
    expect(verifier.separate).toEqual({
      ...ENVIRONMENT,
      source: { kind: "image", image: "python:3" },
      filesDir: tests(),
      memoryMb: 512,
      network: { mode: "none" },
      buildTimeoutSec: 50,
    });
    expect(verifier).toMatchObject({ tests: [], network: null });
  });

  it("prefers its image to a Dockerfile", async () => {
    const { verifier } = await withToml('[verifier.environment]\ndocker_image = "python:3"\n', {
      "tests/Dockerfile": "FROM b\n",
    });
    expect(verifier.separate).toMatchObject({
      source: { kind: "image", image: "python:3" },
      filesDir: null,
    });
  });

  it("is portable where the task is, and gets the tests", async () => {
    const { verifier } = await withToml(separate);
    expect(verifier.separate?.source).toEqual({ kind: "portable" });
    expect(verifier.tests).toEqual([{ dir: tests(), only: null }]);
  });

  it("can't do without an image where the task has one", async () => {
    await expect(withToml(separate, { "environment/Dockerfile": "FROM a\n" })).rejects.toThrow(
      `${join(tests(), "Dockerfile")} is missing`,
    );
  });

  it("can't have services", async () => {
    const files = { "tests/docker-compose.yaml": "services: {}\n" };
    expect((await withToml(separate, files)).unsupported).toContain("tests/docker-compose.yaml");
    const shared = await withToml("", files);
    expect(shared.unsupported).toBe(null);
  });

  it("contradicts a shared one", async () => {
    const toml = '[verifier]\nenvironment_mode = "shared"\n[verifier.environment]\ncpus = 1\n';
    await expect(withToml(toml)).rejects.toThrow(
      'task.toml:3: verifier.environment contradicts environment_mode = "shared"',
    );
  });
});

describe("what is wrong with a Harbor task", () => {
  it.each([
    ["[agent]\ntimeout_sec = 'long'", 2, 'agent.timeout_sec must be a number above 0, not "long"'],
    ["[agent]\ntimeout_sec = 0", 2, "agent.timeout_sec must be a number above 0, not 0"],
    ["[agent]\ntimeout_sec = true", 2, "agent.timeout_sec must be a number above 0, not true"],
    ["[agent]\nuser = 1.5", 2, "agent.user must be a user's name or number, not 1.5"],
    ["[agent]\nuser = ''", 2, `agent.user must be a user's name or number, not ""`],
    ["[verifier]\n\ntimeout_sec = -5", 3, "verifier.timeout_sec must be a number above 0, not -5"],
    ["[verifier]\nenv = { A = 1 }", 2, "verifier.env.A must be a string, not 1"],
    ["[verifier.env]\nB = ''\nA = 1", 3, "verifier.env.A must be a string, not 1"],
    ["verifier.env.A = 1", 1, "verifier.env.A must be a string, not 1"],
    ["verifier = 3", 1, "verifier must be a table, not 3"],
    [
      "[verifier]\nenvironment_mode = 'own'",
      2,
      'verifier.environment_mode must be "shared" or "separate", not "own"',
    ],
    ["[[verifier.collect]]\nuser = 'x'", 1, "verifier.collect[0].command is missing"],
    ["verifier.collect = [1]", 1, "verifier.collect[0] must be a table, not 1"],
    ["[environment]\ncpus = []", 2, "environment.cpus must be a whole number above 0, not []"],
    ["[environment]\ncpus = 0.5", 2, "environment.cpus must be a whole number above 0, not 0.5"],
    [
      "[environment]\ngpus = -1",
      2,
      "environment.gpus must be a whole number of at least 0, not -1",
    ],
    ["[environment]\nworkdir = 1", 2, "environment.workdir must be a string, not 1"],
    ["[environment]\nos = 'mac'", 2, 'environment.os must be "linux" or "windows", not "mac"'],
    [
      '[environment]\nallow_internet = "no"',
      2,
      'environment.allow_internet must be true or false, not "no"',
    ],
    [
      '[environment]\nmemory = "lots"',
      2,
      'environment.memory must be a size like "4G" or "512M", not "lots"',
    ],
    [
      '[environment]\nmemory = "4GB"',
      2,
      'environment.memory must be a size like "4G" or "512M", not "4GB"',
    ],
    [
      '[environment]\nmemory_mb = 1\nmemory = "4G"',
      3,
      'environment.memory is "4G", but memory_mb is 1',
    ],
    [
      "[environment]\nnetwork_mode = 'none'",
      2,
      'environment.network_mode must be "public" or "no-network" or "allowlist", not "none"',
    ],
    [
      "[agent]\nnetwork_mode = 'public'\nallowed_hosts = ['a']",
      3,
      'agent.allowed_hosts needs network_mode "allowlist", not "public"',
    ],
    ...["https://a.b", "a.b:80", "a/b", "[::1]", "10.0.0.0/33", "", "*"].map(
      (host): [string, number, string] => [
        `[environment]\nallowed_hosts = ["x.y", "${host}"]`,
        2,
        `environment.allowed_hosts[1] must be a host name, *.host, an address or a CIDR, not "${host}"`,
      ],
    ),
    ["[environment.healthcheck]\nretries = 1", 1, "environment.healthcheck.command is missing"],
    [
      "[environment.healthcheck]\ncommand = 'a'\nretries = 0",
      3,
      "environment.healthcheck.retries must be a whole number above 0, not 0",
    ],
    ["[[environment.mcp_servers]]\nname = 'a'", 1, "environment.mcp_servers[0].url is missing"],
    [
      "[[environment.mcp_servers]]\nname = 'a'\ntransport = 'stdio'",
      1,
      "environment.mcp_servers[0].command is missing",
    ],
    ["artifacts = 'x'", 1, 'artifacts must be a list, not "x"'],
    ["artifacts = [\n  'x',\n  3,\n]", 1, "artifacts[1] must be a string or a table, not 3"],
    ["artifacts = ['']", 1, `artifacts[0].source must be a string that isn't empty, not ""`],
    ["artifacts = ['/a/../b']", 1, 'artifacts[0].source must be a path without .., not "/a/../b"'],
    [
      "artifacts = [{ source = 'a', service = 'db' }]",
      1,
      'artifacts[0].source must be an absolute path in the service db, not "a"',
    ],
    ...["/x", "a/../b", "a\\\\b", ""].map((path): [string, number, string] => [
      `artifacts = [{ source = "a", destination = "${path}" }]`,
      1,
      `artifacts[0].destination must be a relative path without .. or \\, not "${path}"`,
    ]),
    [
      "artifacts = [{ source = 'a', destination = 'manifest.json' }]",
      1,
      "artifacts[0].destination can't be manifest.json: the list of artifacts is written there",
    ],
    ["[task]\nname = 5", 2, "task.name must be a string, not 5"],
    ["[task]\nname = '../x'", 2, 'task.name must be org/name, not "../x"'],
    ["[task]\nname = 'a/b/c'", 2, 'task.name must be org/name, not "a/b/c"'],
    [
      "multi_step_reward_strategy = 'max'",
      1,
      'multi_step_reward_strategy must be "mean" or "final", not "max"',
    ],
  ])("names file, line and field: %j", async (toml, line, problem) => {
    await expect(withToml(toml)).rejects.toMatchObject({
      code: "task_unreadable",
      message: `${join(dir, "task.toml")}:${line}: ${problem}`,
    });
  });

  it("names the line where it isn't TOML", async () => {
    await expect(withToml("a = 1\n[agent\n")).rejects.toMatchObject({
      code: "task_unreadable",
      message: expect.stringMatching(/\/hello\/task\.toml:2:\d+: Invalid TOML document: /),
    });
  });

  it.each(["task.toml", "instruction.md"])("is not UTF-8: %s", async (name) => {
    const latin1 = Buffer.from("# fine\n# caf\xe9\n", "latin1");
    await expect(readTask(writeTask(dir, { [name]: latin1 }))).rejects.toMatchObject({
      code: "task_unreadable",
      message: `${join(dir, name)}:2: not UTF-8 text`,
    });
  });

  it("takes a byte order mark", async () => {
    const mark = "\uFEFF";
    const files = {
      "task.toml": `${mark}[agent]\ntimeout_sec = 5\n`,
      "instruction.md": `${mark}Hi.`,
    };
    expect(await readTask(writeTask(dir, files))).toMatchObject({
      agentTimeoutSec: 5,
      instruction: "Hi.",
    });
  });

  it("has no instruction", async () => {
    const file = join(dir, "instruction.md");
    await expect(withInstruction(" \n\n")).rejects.toThrow(`${file} is empty`);
    const mute = join(folder.dir, "mute");
    await expect(readTask(writeTask(mute, { "instruction.md": null }))).rejects.toMatchObject({
      code: "task_unreadable",
      message: `${join(mute, "instruction.md")} is missing`,
    });
  });

  it("has no verifier", async () => {
    await expect(readTask(writeTask(dir, { "tests/test.sh": null }))).rejects.toMatchObject({
      code: "task_unreadable",
      message: `${dir}: tests/test.sh is missing: nothing could verify the result`,
    });
  });
});

describe("the instruction", () => {
  it.each([
    ["<!-- hello-canary GUID 1234 -->\n\nSay hello.\n", "Say hello."],
    ["# bench-canary GUID 1234\nSay hello.\n", "Say hello."],
    ["<!-- CANARY a -->\n# canary b\n\n\nSay hello.\n", "Say hello."],
    ["<!-- canary -->\r\n\r\nSay\r\nhello.\r\n", "Say\r\nhello."],
    ["Say hello.\n# canary in the text\n", "Say hello.\n# canary in the text"],
    ["# Heading\n\nSay hello.\n\n", "# Heading\n\nSay hello."],
    ["Put a canary in the cage.\n", "Put a canary in the cage."],
  ])("is without canary lines at its top: %j", async (text, instruction) => {
    expect((await withInstruction(text)).instruction).toBe(instruction);
  });
});

describe("templates in env tables", () => {
  it.each(["environment", "verifier", "solution"])("are filled in: %s", async (section) => {
    vi.stubEnv("TASK_TEST_SET", "from caller");
    vi.stubEnv("TASK_TEST_EMPTY", "");
    const task = await withToml(
      `[${section}.env]
A = "\${TASK_TEST_SET}"
B = "\${TASK_TEST_UNSET:-default}"
C = "\${TASK_TEST_SET:-default}"
D = "\${TASK_TEST_UNSET:-}"
E = "in \${TASK_TEST_SET} text"
F = "\${TASK_TEST_EMPTY:-default}"
G = "\${TASK_TEST_UNSET:-a}b}"
`,
      { "solution/solve.sh": "true\n" },
    );
    const part = task[section as "environment" | "verifier" | "solution"];
    expect(part?.env).toEqual({
      A: "from caller",
      B: "default",
      C: "from caller",
      D: "",
      E: `in \${TASK_TEST_SET} text`,
      F: "",
      G: "a}b",
    });
  });

  it.each(["environment", "verifier"])("keep a task from running: %s", async (section) => {
    const { unsupported } = await withToml(`[${section}.env]\nA = "\${TASK_TEST_UNSET}"\n`);
    expect(unsupported).toBe(
      `${section}.env.A is \${TASK_TEST_UNSET}, and TASK_TEST_UNSET is not set in your environment`,
    );
  });

  it("are left out of a solution, which only the oracle needs", async () => {
    const task = await withToml(`[solution.env]\nA = "\${TASK_TEST_UNSET}"\nB = "b"\n`, {
      "solution/solve.sh": "true\n",
    });
    expect(task.unsupported).toBe(null);
    expect(task.solution?.env).toEqual({ B: "b" });
    expect(task.warnings).toEqual([
      `task.toml:2: solution.env.A is \${TASK_TEST_UNSET}, and TASK_TEST_UNSET is not set in your environment`,
    ]);
  });
});

describe("what can't be honoured", () => {
  it.each([
    ["[environment]\ngpus = 1", "it needs a GPU"],
    ["[environment]\ntpu = { type = 'v5', topology = '2x4' }", "it needs a TPU"],
    ["[environment]\nos = 'Windows'", "it needs Windows"],
    ["[verifier.environment]\ngpus = 2\ndocker_image = 'x'", "it needs a GPU"],
    [
      "[environment]\ngpus = 1\nos = 'windows'\n[agent]\nallowed_hosts = ['b']",
      "it needs Windows; it needs a GPU",
    ],
  ])("is a reason, not an error: %j", async (toml, reason) => {
    expect((await withToml(toml)).unsupported).toBe(reason);
  });

  it("needs no test.sh on Windows", async () => {
    const files = { "tests/test.sh": null, "tests/test.bat": "exit 0\n" };
    const task = await withToml("[environment]\nos = 'windows'\n", files);
    expect(task.unsupported).toBe("it needs Windows");
  });
});

describe("warnings", () => {
  it.each<[string, string[]]>([
    [
      "[agent]\ntimout_sec = 3",
      ["task.toml:2: agent.timout_sec is not a known field; did you mean timeout_sec?"],
    ],
    ["colour = 3", ["task.toml:1: colour is not a known field"]],
    ["[enviroment]\n", ["task.toml:1: enviroment is not a known field; did you mean environment?"]],
    [
      "[environment.healthcheck]\ncommand = 'a'\nretires = 3",
      ["task.toml:3: environment.healthcheck.retires is not a known field; did you mean retries?"],
    ],
    [
      "artifacts = [{ source = 'a', excludes = [] }]",
      ["task.toml:1: artifacts[0].excludes is not a known field; did you mean exclude?"],
    ],
    [
      "[metadata]\nanything = 1\nartifacts = ['/a']",
      ["task.toml:3: metadata.artifacts has no effect here: it must come before the first [table]"],
    ],
    [
      "[agent]\nartifacts = ['/a']",
      ["task.toml:2: agent.artifacts has no effect here: it must come before the first [table]"],
    ],
    [
      "[environment]\nmemory = 4096",
      [
        'task.toml:2: environment.memory has no effect as a bare number: write memory_mb, or a size like "4G"',
      ],
    ],
    [
      "[environment]\nskills_dir = '/skills'\n[[environment.mcp_servers]]\nname = 'a'\nurl = 'b'",
      [
        "task.toml:3: environment.mcp_servers is not used: it is for agents that run inside the sandbox",
        "task.toml:2: environment.skills_dir is not used: it is for agents that run inside the sandbox",
      ],
    ],
    ["[environment]\nskills_dir = ''\nmcp_servers = []", []],
    [
      "[environment]\ngpu_types = ['a']",
      ["task.toml:2: environment.gpu_types has no effect without gpus"],
    ],
    ["[task]\nname = 'hello'", ["task.toml:2: task.name should be org/name"]],
    ["[task]\nversion = '1'", ["task.toml:1: task.name should be org/name"]],
    ["schema_version = '1.1'\nversion = '1.0'", []],
    ["[environment]\nallow_internet = true\nnetwork_mode = 'public'", []],
  ])("say what is odd: %j", async (toml, warnings) => {
    const task = await withToml(toml);
    expect(task.warnings).toEqual(warnings);
    expect(task.unsupported).toBe(null);
  });

  it("say that a script has Windows line endings", async () => {
    const script = "#!/bin/sh\r\nexit 0\r\n";
    const files = { "tests/test.sh": script, "solution/solve.sh": script };
    const task = await readTask(writeTask(dir, files));
    expect(task.warnings).toEqual([
      "solution/solve.sh has Windows line endings; the kernel will not find its interpreter",
      "tests/test.sh has Windows line endings; the kernel will not find its interpreter",
    ]);
  });

  it("say that a solution has nothing to run", async () => {
    const task = await readTask(writeTask(dir, { "solution/notes.txt": "x" }));
    expect(task.solution).toBe(null);
    expect(task.warnings).toEqual(["solution/solve.sh is missing: the oracle has nothing to run"]);
  });
});

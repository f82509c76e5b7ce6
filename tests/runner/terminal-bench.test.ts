import { beforeAll, describe, expect, it } from "vitest";
import type { SandboxProvider } from "../../src/interfaces/index.js";
import { docker as hasDocker, openProvider } from "../sandbox/kinds.js";
import { done, run, runOne, scripted, write } from "../support/trials.js";

/** Prints what pytest would, without pytest. */
const RUN_TESTS = `#!/bin/bash
cd /app
if grep -qx 'Hello, world!' hello.txt; then status=PASSED; else status=FAILED; fi
[ -f "$TEST_DIR/test_outputs.py" ] && [ "$(id -u)" = 0 ] && other=PASSED || other=FAILED
echo '=========== short test summary info ==========='
echo "$status ../tests/test_outputs.py::test_hello"
echo "$other ../tests/test_outputs.py::test_place"
exit 0
`;

describe.runIf(hasDocker)("a Terminal-Bench task", () => {
  let provider: SandboxProvider;
  beforeAll(async () => {
    provider = await openProvider({ name: "docker", kind: "docker", image: "", bash: true });
  });

  const files = (compose: boolean) => ({
    "task.toml": null,
    "instruction.md": null,
    "tests/test.sh": null,
    "task.yaml": `# canary
instruction: |-
  Create hello.txt with 'Hello, world!'
difficulty: easy
parser_name: pytest
max_agent_timeout_sec: 60.0
max_test_timeout_sec: 30.0
`,
    Dockerfile: "FROM debian:bookworm-slim\nWORKDIR /app\n",
    ...(compose
      ? {
          "docker-compose.yaml": `
services:
  client:
    build: {dockerfile: Dockerfile}
    image: \${T_BENCH_TASK_DOCKER_CLIENT_IMAGE_NAME}
    container_name: \${T_BENCH_TASK_DOCKER_CLIENT_CONTAINER_NAME}
    command: ["sh", "-c", "sleep infinity"]
    environment: ["TEST_DIR=\${T_BENCH_TEST_DIR}"]
    volumes:
      - \${T_BENCH_TASK_LOGS_PATH}:\${T_BENCH_CONTAINER_LOGS_PATH}
      - \${T_BENCH_TASK_AGENT_LOGS_PATH}:\${T_BENCH_CONTAINER_AGENT_LOGS_PATH}
`,
        }
      : {}),
    "run-tests.sh": RUN_TESTS,
    "tests/test_outputs.py": "# the tests\n",
    "solution.sh": "#!/bin/bash\necho 'Hello, world!' > hello.txt\n",
  });

  it.each([
    ["its own compose file", true],
    ["a Dockerfile alone", false],
  ])("runs with %s and its own semantics", async (_, compose) => {
    const passed = await runOne({ provider, files: files(compose), agent: scripted(write, done) });
    expect(passed.result).toMatchObject({ outcome: "passed", reward: 1, error: null });
    const failed = await runOne({
      provider,
      files: files(compose),
      agent: scripted(run("ls"), done),
    });
    expect(failed.result).toMatchObject({
      outcome: "failed",
      reward: 0,
      rewards: { reward: 0, tests_passed: 0.5 },
    });
  });

  it("runs its tests in the agent's shell if it says so", async () => {
    const inShell = `[ "$MARK" = agent ] && [ "$(pwd)" = /srv ] && status=PASSED || status=FAILED
echo '=========== short test summary info ==========='
echo "$status ../tests/test_outputs.py::test_shell"
`;
    const trial = (yaml: string) =>
      runOne({
        provider,
        files: {
          ...files(false),
          "task.yaml": `instruction: Move.\n${yaml}`,
          "run-tests.sh": inShell,
        },
        agent: scripted(run("export MARK=agent; cd /srv"), done),
      });
    const same = await trial("run_tests_in_same_shell: true\n");
    expect(same.result).toMatchObject({ outcome: "passed", reward: 1 });
    expect((await trial("")).result).toMatchObject({ outcome: "failed", reward: 0 });
  });

  it("lets the oracle run its solution, as a script and as typed lines", async () => {
    const script = await runOne({ provider, files: files(true), agent: "oracle" });
    expect(script.result).toMatchObject({ outcome: "passed", error: null });
    const typed = await runOne({
      provider,
      files: {
        ...files(true),
        "solution.sh": null,
        "solution.yaml":
          "- command: x='Hello, world!'\n- command: echo \"$x\" > hello.txt\n  max_timeout_sec: 60\n",
      },
      agent: "oracle",
    });
    expect(typed.result).toMatchObject({ outcome: "passed", steps: 2, error: null });
  });
});

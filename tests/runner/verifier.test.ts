import { beforeAll, describe, expect, it } from "vitest";
import type { SandboxProvider } from "../../src/interfaces/index.js";
import { APART, openProvider } from "../sandbox/kinds.js";
import { done, run, runOne, scripted, write } from "../support/trials.js";

const EXIT_CODE = 'reward = "exit-code"';

const verifyWith = (
  provider: SandboxProvider,
  test: string,
  answers: object[] = [],
  settings = EXIT_CODE,
) =>
  runOne({
    provider,
    files: {
      "task.toml": `[verifier]\n${settings}\n`,
      "tests/test.sh": `#!/bin/sh\n${test}\n`,
      "tests/secret": "the answer\n",
    },
    agent: scripted(...answers, done),
  });

describe.each(APART)("the verifier ($name)", (kind) => {
  let provider: SandboxProvider;
  beforeAll(async () => {
    provider = await openProvider(kind);
  });
  const verify = (test: string, ...answers: object[]) => verifyWith(provider, test, answers);

  it("ignores a reward that the agent wrote", async () => {
    const forge = run("mkdir -p /logs/verifier; echo 1 > /logs/verifier/reward.txt");
    const { result } = await verify("exit 1", forge);
    expect(result).toMatchObject({ outcome: "failed", reward: 0 });
  });

  it("leaves alive what the agent started, and logs it with its name and age", async () => {
    const beat = "while :; do date +%s%N > /tmp/beat; sleep 0.05; done";
    const { result, find } = await verify(
      `seen=$(cat /tmp/beat); for try in $(seq 200); do sleep 0.05; [ "$(cat /tmp/beat)" = "$seen" ] || exit 0; done; exit 1`,
      run(`setsid sh -c '${beat}' heartbeat >/dev/null 2>&1 </dev/null &`),
      run("sleep 1000 & while [ ! -s /tmp/beat ]; do sleep 0.05; done"),
    );
    expect(result).toMatchObject({ outcome: "passed", reward: 1 });
    const processes = find("verifier_started")[0]?.processes ?? [];
    expect(processes.map(({ command }) => command)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^sh -c while .* heartbeat$/), "sleep 1000"]),
    );
    for (const { age_sec } of processes) expect(age_sec).toBeGreaterThanOrEqual(0);
    // The driver and the shell that the agent worked in are not among them.
    expect(processes.filter(({ command }) => command.includes("term-run"))).toEqual([]);
  });

  it("logs no process when the agent left none", async () => {
    const { find } = await verify("true", run("true & wait; sleep 0.01"));
    expect(find("verifier_started")[0]?.processes).toEqual([]);
  });

  it("ends what the agent started first, if the task says so", async () => {
    const file = "/logs/verifier/reward.json";
    const loop = `mkdir -p /logs/verifier; while :; do echo 1 > ${file}; sleep 0.01; done`;
    const start = `setsid sh -c '${loop}' >/dev/null 2>&1 & sh -c '${loop}' >/dev/null 2>&1 &`;
    const lines = "for d in /proc/[0-9]*; do tr '\\0' ' ' <$d/cmdline; echo; done 2>/dev/null";
    const { result, commands, find } = await verifyWith(
      provider,
      `${lines} | grep -c '^sh -c mkdir'; ls /logs/verifier; exit 1`,
      [
        run(
          `${start} while [ ! -e ${file} ]; do sleep 0.05; done; ${lines} | grep -c '^sh -c mkdir'`,
        ),
      ],
      `${EXIT_CODE}\nprocesses = "end"`,
    );
    expect(commands[0]?.output).toBe("2");
    expect(find("verifier_finished")[0]?.output).toBe("0");
    expect(result).toMatchObject({ outcome: "failed", reward: 0 });
  });

  it("hides its tests from the agent, and removes what the agent put in their folder", async () => {
    const { result, commands } = await verify(
      "grep -q 'the answer' /tests/secret && [ ! -e /tests/planted ]",
      run("ls /tests"),
      run("mkdir -p /tests; echo x > /tests/planted; echo 'exit 0' > /tests/test.sh"),
    );
    expect(commands[0]?.exit_code).not.toBe(0);
    expect(result).toMatchObject({ outcome: "passed", reward: 1 });
  });

  it("is independent of the agent's shell: its functions, variables and directory", async () => {
    const { result } = await verify(
      '[ -z "$LEAK" ] && grep -q Hello hello.txt',
      write,
      run("export LEAK=1 PATH=/nowhere; grep() { true; }; cd /"),
    );
    expect(result.outcome).toBe("passed");
  });
});

// How it reads an exit code and a file doesn't depend on the image's shell.
const ONE_OF_EACH = APART.filter(
  ({ kind }, at) => APART.findIndex((other) => other.kind === kind) === at,
);

describe.each(ONE_OF_EACH)("the verifier's reward ($name)", (kind) => {
  let provider: SandboxProvider;
  beforeAll(async () => {
    provider = await openProvider(kind);
  });

  it.each([
    ["echo 0.25 > /logs/verifier/reward.txt; exit 0", "failed", 0.25],
    [`echo '{"reward": 1, "style": 0.5}' > /logs/verifier/reward.json; exit 1`, "passed", 1],
    ["echo 7 > /logs/verifier/reward.txt", "passed", 7],
    ["echo -1 > /logs/verifier/reward.txt", "failed", -1],
  ])("is read from %s", async (test, outcome, reward) => {
    const { result } = await verifyWith(provider, test, [], "");
    expect(result).toMatchObject({ outcome, reward });
  });

  it.each([
    ["echo NaN > /logs/verifier/reward.txt", "NaN"],
    ["echo '{' > /logs/verifier/reward.json", "not valid JSON"],
    ["echo all good; echo 1 > /logs/verifier/rewards.txt", "reward.txt or reward.json.*all good"],
    ["exit 127", "wrote no /logs/verifier/reward.txt"],
  ])("is an error after %s", async (test, why) => {
    const { result } = await verifyWith(provider, test, [], "");
    expect(result).toMatchObject({ outcome: "verifier_error", reward: null });
    expect(result.error?.message).toMatch(new RegExp(why));
  });

  it.each([
    ["echo passed; exit 1", "failed", 0],
    ["exit 0", "passed", 1],
    ["exit 127", "verifier_error", null],
    ["echo 0.25 > /logs/verifier/reward.txt; exit 0", "failed", 0.25],
  ])("is the exit code of %s where the task says so", async (test, outcome, reward) => {
    const { result } = await verifyWith(provider, test);
    expect(result).toMatchObject({ outcome, reward });
  });

  it("is an error when the verifier times out", async () => {
    const { result } = await runOne({
      provider,
      files: {
        "task.toml": "[verifier]\ntimeout_sec = 0.5\n",
        "tests/test.sh": "#!/bin/sh\nsleep 1000\n",
      },
      agent: "nop",
    });
    expect(result).toMatchObject({ outcome: "verifier_error", reward: null });
    expect(result.error?.message).toContain("0.5 s");
  });

  it("is read from a test that isn't executable, too", async () => {
    const { result } = await runOne({
      provider,
      files: { "tests/test.sh": "#!/bin/sh\nexit 0\n" },
      modes: { "tests/test.sh": 0o644 },
      agent: "nop",
    });
    expect(result).toMatchObject({ outcome: "passed", reward: 1 });
  });

  it("is an error when the test can't be started", async () => {
    const { result } = await runOne({
      provider,
      files: { "tests/test.sh": "#!/bin/no-such-shell\r\nexit 0\r\n" },
      agent: "nop",
    });
    expect(result).toMatchObject({ outcome: "verifier_error", reward: null });
  });
});

import { beforeAll, describe, expect, it } from "vitest";
import type { SandboxProvider } from "../../src/interfaces/index.js";
import { KINDS, openProvider } from "../sandbox/kinds.js";
import { done, run, runOne, scripted, write } from "../support/trials.js";

describe.each(KINDS.filter(({ kind }) => kind !== "local"))("the verifier ($name)", (kind) => {
  let provider: SandboxProvider;
  beforeAll(async () => {
    provider = await openProvider(kind);
  });
  const verify = (test: string, ...answers: object[]) =>
    runOne({
      provider,
      files: { "tests/test.sh": `#!/bin/sh\n${test}\n`, "tests/secret": "the answer\n" },
      agent: scripted(...answers, done),
    });

  it("does not believe a reward that the agent wrote", async () => {
    const forge = run("mkdir -p /logs/verifier; echo 1 > /logs/verifier/reward.txt");
    const { result } = await verify("exit 1", forge);
    expect(result).toMatchObject({ outcome: "failed", reward: 0 });
  });

  it("does not let a process of the agent's write one while it runs", async () => {
    const loop = "while :; do mkdir -p /logs/verifier; echo 1 > /logs/verifier/reward.json; done";
    const { result } = await verify(
      "sleep 0.5; exit 1",
      run(`setsid sh -c '${loop}' >/dev/null 2>&1 & ${loop} >/dev/null 2>&1 &`),
    );
    expect(result).toMatchObject({ outcome: "failed", reward: 0 });
  });

  it("keeps its tests from the agent, and what the agent put there from its tests", async () => {
    const { result, commands } = await verify(
      "grep -q 'the answer' /tests/secret && [ ! -e /tests/planted ]",
      run("ls /tests"),
      run("mkdir -p /tests; echo x > /tests/planted; echo 'exit 0' > /tests/test.sh"),
    );
    expect(commands[0]?.exit_code).not.toBe(0);
    expect(result).toMatchObject({ outcome: "passed", reward: 1 });
  });

  it("runs apart from the agent's shell: its functions, variables and directory", async () => {
    const { result } = await verify(
      '[ -z "$LEAK" ] && grep -q Hello hello.txt',
      write,
      run("export LEAK=1 PATH=/nowhere; grep() { true; }; cd /"),
    );
    expect(result.outcome).toBe("passed");
  });

  it.each([
    ["echo 0.25 > /logs/verifier/reward.txt; exit 0", "failed", 0.25],
    [`echo '{"reward": 1, "style": 0.5}' > /logs/verifier/reward.json; exit 1`, "passed", 1],
    ["echo passed; exit 1", "failed", 0],
    ["exit 0", "passed", 1],
  ])("reads the reward of %s", async (test, outcome, reward) => {
    const { result } = await verify(test);
    expect(result).toMatchObject({ outcome, reward });
  });

  it.each([
    ["echo NaN > /logs/verifier/reward.txt", "NaN"],
    ["echo 7 > /logs/verifier/reward.txt", "not between 0 and 1"],
    ["echo '{' > /logs/verifier/reward.json", "not valid JSON"],
    ["exit 127", "could not be run"],
  ])("is in error after %s", async (test, why) => {
    const { result } = await verify(test);
    expect(result).toMatchObject({ outcome: "verifier_error", reward: null });
    expect(result.error?.message).toContain(why);
  });

  it("is in error when its time runs out", async () => {
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

  it("runs a test without a run bit, and reports one that can't be started", async () => {
    const crlf = await runOne({
      provider,
      files: { "tests/test.sh": "#!/bin/no-such-shell\r\nexit 0\r\n" },
      agent: "nop",
    });
    expect(crlf.result).toMatchObject({ outcome: "verifier_error" });
  });
});

import { beforeAll, describe, expect, it } from "vitest";
import type { SandboxProvider } from "../../src/interfaces/index.js";
import { APART, openProvider } from "../sandbox/kinds.js";
import { done, type Outcome, run, runOne, scripted } from "../support/trials.js";

const ONE_OF_EACH = APART.filter(
  ({ kind }, at) => APART.findIndex((other) => other.kind === kind) === at,
);
const FILE = "/logs/verifier/reward.txt";

describe.each(ONE_OF_EACH)("a pass with the agent's processes alive ($name)", (kind) => {
  let provider: SandboxProvider;
  beforeAll(async () => {
    provider = await openProvider(kind);
  });
  const verify = (test: string, commands: string[], more: object = {}): Promise<Outcome> =>
    runOne({
      provider,
      files: {
        "task.toml": `[verifier]\nreward = "exit-code"\n${"processes" in more ? 'processes = "end"' : ""}\n`,
        "tests/test.sh": `#!/bin/sh\n${test}\n`,
      },
      agent: scripted(...commands.map(run), done),
      ...more,
    });

  it("is marked if it holds only with them", async () => {
    const beat = "while :; do date +%s%N > /tmp/beat; sleep 0.05; done";
    const test = `seen=$(cat /tmp/beat); for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.2; [ "$(cat /tmp/beat)" = "$seen" ] || exit 0; done; exit 1`;
    const start = `setsid sh -c '${beat}' >/dev/null 2>&1 </dev/null & while [ ! -s /tmp/beat ]; do sleep 0.05; done`;
    const { result, find } = await verify(test, [start]);
    expect(result).toMatchObject({ outcome: "passed", reward: 1, relies_on_processes: true });
    expect(find("verifier_repeated")).toMatchObject([{ reward: 0, exit_code: 1 }]);
  });

  it("isn't marked if the files alone pass too", async () => {
    const { result, find } = await verify("grep -q right answer", [
      "echo right > answer; sleep 1000 >/dev/null 2>&1 &",
    ]);
    expect(result).toMatchObject({ outcome: "passed", relies_on_processes: false });
    expect(find("verifier_repeated")).toMatchObject([{ reward: 1 }]);
  });

  it("is marked if a process wrote the reward, or changed files once it saw the tests", async () => {
    const loop = `while :; do echo 1 > /tmp/one; mv /tmp/one ${FILE}; [ -e /tests/test.sh ] && echo right > answer; done`;
    const { result } = await verify("sleep 0.5; grep -q right answer", [
      `setsid sh -c '${loop}' >/dev/null 2>&1 </dev/null &`,
    ]);
    expect(result).toMatchObject({ outcome: "passed", relies_on_processes: true });
  });

  it("isn't looked at twice without such processes, unless every pass is", async () => {
    const usual = await verify("true", ["true"]);
    expect(usual.find("verifier_repeated")).toEqual([]);
    expect(usual.result).not.toHaveProperty("relies_on_processes");
    const strict = await verify("true", ["true"], { strict: true });
    expect(strict.find("verifier_repeated")).toMatchObject([{ reward: 1 }]);
    expect(strict.result).toMatchObject({ outcome: "passed", relies_on_processes: false });
  });

  it("isn't looked at twice after a failure", async () => {
    const { result, find } = await verify("exit 1", ["sleep 1000 >/dev/null 2>&1 &"]);
    expect(result).toMatchObject({ outcome: "failed" });
    expect(find("verifier_repeated")).toEqual([]);
  });

  it("can't come about where the task has processes ended: the tests run in a fresh sandbox", async () => {
    const links = Array.from(
      { length: 40 },
      (_, at) =>
        `setsid sh -c 'echo 1 > /tmp/reward${at}; while :; do ln -f /tmp/reward${at} ${FILE}; cp /tmp/reward${at} ${FILE}; done' >/dev/null 2>&1 </dev/null &`,
    );
    const { result, find } = await verify(
      "[ -e kept ] && sleep 0.3; ls /logs/verifier; exit 1",
      ["touch kept; mkdir -p /logs/verifier", `${links.join(" ")} true`],
      { processes: "end" },
    );
    expect(result).toMatchObject({ outcome: "failed", reward: 0 });
    expect(find("verifier_finished")).toMatchObject([{ output: "" }]);
  });

  it("finds the agent's files in the fresh sandbox, with their modes and owners", async () => {
    const { result, find } = await verify(
      "stat -c '%a %s %F' script empty link fifo; cat 'a b/ü'; [ ! -e /tmp/alive ]",
      [
        "printf hello > script; chmod 751 script; : > empty; ln -s script link; mkfifo fifo; mkdir 'a b'; printf deep > 'a b/ü'",
        "sh -c 'trap \"touch /tmp/alive\" EXIT; sleep 1000' >/dev/null 2>&1 &",
      ],
      { processes: "end" },
    );
    expect(find("verifier_finished")[0]?.output).toMatch(
      /^751 5 regular file\n644 0 regular empty file\n777 6 symbolic link\n644 0 fifo\ndeep$/,
    );
    expect(result.outcome).toBe("passed");
  });
});

import { beforeAll, describe, expect, it } from "vitest";
import type { SandboxProvider } from "../../src/interfaces/index.js";
import { LIGHTEST, openProvider } from "../sandbox/kinds.js";
import { runOne } from "../support/trials.js";

/** Does what the instruction says, line by line. */
const OBEDIENT = {
  file: "agent.py",
  source: `
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    done = request["step"] > 1
    command = None if done else request["instruction"]
    print(json.dumps({"command": command, "task_complete": done}), flush=True)
`,
};

describe("a task with several parts", () => {
  let provider: SandboxProvider;
  beforeAll(async () => {
    provider = await openProvider(LIGHTEST);
  });

  const trial = (options: { head?: string; first?: string; second?: string; gate?: string }) =>
    runOne({
      provider,
      files: {
        "task.toml": `${options.head ?? ""}
[verifier]
reward = "exit-code"
[[steps]]
name = "one"
${options.gate ?? ""}
[[steps]]
name = "two"
`,
        "steps/one/instruction.md": options.first ?? "echo a > a.txt",
        "steps/one/tests/test.sh": "#!/bin/sh\ngrep -q a a.txt\n",
        "steps/two/instruction.md": options.second ?? "cat a.txt given.txt > b.txt",
        "steps/two/workdir/given.txt": "given\n",
        "steps/two/workdir/setup.sh": "echo ready > ready.txt\n",
        "steps/two/tests/test.sh":
          "#!/bin/sh\n[ -s ready.txt ] && printf 'a\\ngiven\\n' | cmp - b.txt\n",
      },
      agent: OBEDIENT,
    });

  it("runs them in order in one sandbox", async () => {
    const { result, find } = await trial({});
    expect(result).toMatchObject({ outcome: "passed", reward: 1, steps: 4, error: null });
    expect(find("part_started").map(({ part, number, of }) => [part, number, of])).toEqual([
      ["one", 1, 2],
      ["two", 2, 2],
    ]);
    expect(find("verifier_finished")).toHaveLength(2);
  });

  it("takes the mean of their rewards, or the last one", async () => {
    const mean = await trial({ second: "true" });
    expect(mean.result).toMatchObject({ outcome: "failed", reward: 0.5 });
    const final = await trial({
      head: 'multi_step_reward_strategy = "final"',
      first: "true",
      second: "echo a > a.txt; cat a.txt given.txt > b.txt",
    });
    expect(final.result).toMatchObject({ outcome: "passed", reward: 1 });
  });

  it("stops after a part that misses its minimum reward", async () => {
    const { result, find } = await trial({ first: "true", gate: "min_reward = 1.0" });
    expect(result).toMatchObject({ outcome: "failed", reward: 0 });
    expect(find("part_started")).toHaveLength(1);
  });

  it("are solved by their own solutions, and what one starts is there for the next", async () => {
    const { result } = await runOne({
      provider,
      files: {
        "task.toml":
          '[verifier]\nreward = "exit-code"\n[[steps]]\nname = "one"\n[[steps]]\nname = "two"\n',
        "steps/one/instruction.md": "Start the clock.",
        "steps/one/solution/solve.sh":
          "setsid sh -c 'while :; do date +%N >/tmp/clock; sleep 0.05; done' >/dev/null 2>&1 &\n",
        "steps/one/tests/test.sh":
          "#!/bin/sh\nfor try in $(seq 100); do [ ! -s /tmp/clock ] || exit 0; sleep 0.05; done; exit 1\n",
        "steps/two/instruction.md": "Write down that it runs.",
        "steps/two/solution/solve.sh":
          'was=$(cat /tmp/clock)\nwhile [ "$(cat /tmp/clock)" = "$was" ]; do sleep 0.05; done\necho yes >runs.txt\n',
        "steps/two/tests/test.sh": "#!/bin/sh\ngrep -qx yes runs.txt\n",
      },
      agent: "oracle",
    });
    expect(result).toMatchObject({ outcome: "passed", reward: 1, error: null });
  });
});

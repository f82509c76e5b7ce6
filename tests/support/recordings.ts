import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { filterEnvironment } from "../../src/agent/environment.js";
import { findAgent } from "../../src/agent/find.js";
import { readRun, type StoredRun } from "../../src/events/run-folder.js";
import type { Task } from "../../src/interfaces/index.js";
import { planTrials } from "../../src/runner/plan.js";
import { startRun } from "../../src/runner/run.js";
import type { RunPlan } from "../../src/runner/types.js";
import { LIGHTEST, openProvider } from "../sandbox/kinds.js";
import { writeTask } from "./trials.js";

/** Does what the task's name says, in each part anew. */
const AGENT = `
import json, os, sys, time
task = os.environ["TERM_TASK"].split("/")[0]
say = lambda **answer: print(json.dumps({"command": None, "task_complete": False, **answer}), flush=True)
usage = {"usage": {"model": "model-x", "input_tokens": 100, "output_tokens": 10, "cost_usd": 0.01}}
for line in sys.stdin:
    request = json.loads(line)
    if request["step"] == 1 and task == "garbled" and not request.get("error"):
        print("{", flush=True)
    elif request["step"] == 1:
        print("thinking", file=sys.stderr, flush=True)
        if task == "hostile":
            say(command="printf '\\\\033[2J<script>alert(1)</script>\\\\n\\\\033]0;owned\\\\007'", text="</script><img src=x onerror=alert(1)>", data=usage)
        else:
            say(command="echo 'Hello, world!' > hello.txt" if task != "fails" else "ls", text="I begin.", data=usage)
    elif task == "crashes":
        sys.exit(3)
    elif task == "idles":
        say()
    elif task == "invalid":
        print('{"command": 5}', flush=True)
    elif task == "endless":
        say(command="true")
    elif task == "slow":
        time.sleep(1000)
    else:
        say(task_complete=True, text="I am done.", data=usage)
`;

const PARTS = {
  "task.toml": `
multi_step_reward_strategy = "mean"
[verifier]
reward = "exit-code"
[[steps]]
name = "one"
[[steps]]
name = "two"
`,
  "instruction.md": null,
  "steps/one/instruction.md": "Greet the world.\n",
  "steps/one/tests/test.sh": "#!/bin/sh\necho first; grep -qx 'Hello, world!' hello.txt\n",
  "steps/two/instruction.md": "Greet it again.\n",
  "steps/two/tests/test.sh": "#!/bin/sh\necho second; exit 1\n",
};
const UNSUPPORTED = { "task.toml": "[environment]\nos = 'windows'\n[verifier]\n" };
const MISSING_REWARD = { "task.toml": "[agent]\ntimeout_sec = 60\n" };
const SLOW = { "task.toml": "[agent]\ntimeout_sec = 3\n[verifier]\nreward = 'exit-code'\n" };

type Tasks = Record<string, Record<string, string | null>>;

const RECORDINGS = {
  outcomes: {
    passes: {},
    fails: {},
    garbled: {},
    crashes: {},
    idles: {},
    invalid: {},
    endless: {},
    slow: SLOW,
    unrewarded: MISSING_REWARD,
    unsupported: UNSUPPORTED,
  },
  parts: { greets: PARTS },
  resumed: { passes: {}, fails: {} },
  hostile: { hostile: {} },
} satisfies Record<string, Tasks>;

export const RECORDINGS_BY_NAME = Object.keys(RECORDINGS) as (keyof typeof RECORDINGS)[];

/** A run that the real runner makes, with real agents in a real sandbox. */
export async function record(
  name: keyof typeof RECORDINGS,
): Promise<{ run: StoredRun; remove(): void }> {
  const dir = mkdtempSync(join(tmpdir(), "recording-"));
  // A sandbox whose user isn't the caller has its scratch folder elsewhere, but reads the tests.
  chmodSync(dir, 0o755);
  const remove = () => rmSync(dir, { recursive: true, force: true });
  try {
    const tasks: Task[] = [];
    for (const [task, files] of Object.entries(RECORDINGS[name] as Tasks))
      tasks.push(await writeTask(join(dir, "tasks", task), { files }));
    const out = join(dir, "run");
    if (name === "resumed") await runInterrupted(dir, out, tasks);
    const more = name === "resumed" ? { resumed: await readRun(out) } : {};
    await (await startRun({ ...(await plan(dir, out, tasks)), ...more })).done;
    return { run: await readRun(out), remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Cancelled as soon as the first trial has its result. */
async function runInterrupted(dir: string, out: string, tasks: Task[]): Promise<void> {
  const run = await startRun(await plan(dir, out, tasks));
  for await (const { type } of run.events()) if (type === "trial_finished") run.cancel();
  await run.done;
}

async function plan(dir: string, out: string, tasks: Task[]): Promise<RunPlan> {
  const file = join(dir, "agent.py");
  mkdirSync(dir, { recursive: true });
  writeFileSync(file, AGENT);
  const agent = findAgent(file, filterEnvironment({ ...process.env, A_KEY: "withheld" }, []));
  return {
    out,
    version: "test",
    agent: { name: agent.name, spec: agent.name },
    provider: await openProvider(LIGHTEST),
    trials: planTrials(tasks, 1).map((trial) => ({ ...trial, agent })),
    limits: { maxSteps: 5 },
    warnings: ["this is a recording"],
  };
}

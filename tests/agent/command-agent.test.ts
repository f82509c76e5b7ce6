import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { CommandAgent } from "../../src/agent/command-agent.js";
import { filterEnvironment } from "../../src/agent/environment.js";
import { resolveAgent } from "../../src/agent/resolve.js";
import type { AgentContext, AgentSession, Sandbox, Task } from "../../src/interfaces/index.js";
import { watchdog } from "../../src/process/watchdog.js";
import type { StepRequest } from "../../src/protocol/types.js";

type Emitted = Parameters<AgentContext["emit"]>[0];

let dir = "";
let sessions: AgentSession[] = [];
let events: Emitted[] = [];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "agent-"));
  sessions = [];
  events = [];
});
afterEach(async () => {
  await Promise.all(sessions.map((session) => session.close("agent_crashed")));
  rmSync(dir, { recursive: true, force: true });
});
afterAll(() => watchdog.dismiss());

interface Settings {
  env?: NodeJS.ProcessEnv;
  agentTimeoutSec?: number | null;
}

async function start(file: string, source: string, settings: Settings = {}) {
  writeFileSync(join(dir, file), source);
  const environment = filterEnvironment({ ...plainEnvironment(), ...settings.env }, []);
  const agent = new CommandAgent(resolveAgent(join(dir, file)), environment, (text) =>
    text.replaceAll("hunter22", "***"),
  );
  const session = await agent.start({
    task: { name: "hello" } as Task,
    attempt: 2,
    sandbox: {} as Sandbox,
    limits: {
      maxSteps: 7,
      maxInvalid: 3,
      maxIdle: 3,
      stepTimeoutSec: 30,
      commandTimeoutSec: 20,
      timeoutMultiplier: 1,
      outputLimitBytes: 100_000,
    },
    agentTimeoutSec: settings.agentTimeoutSec ?? null,
    stderrFile: join(dir, "stderr.log"),
    emit: (event) => events.push(event),
    signal: new AbortController().signal,
  });
  sessions.push(session);
  return session;
}

function plainEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: process.env.HOME };
}

function request(step: number, more: Partial<StepRequest> = {}): StepRequest {
  const none = { last_command: null, output: null, exit_code: null };
  return { instruction: "Say hello", step, ...none, cwd: "/app", ...more };
}

function ask(session: AgentSession, step: number, timeoutMs = 30_000) {
  return session.ask(request(step), { timeoutMs, signal: new AbortController().signal });
}

const command = (text: string) =>
  expect.objectContaining({
    kind: "response",
    response: expect.objectContaining({ command: text }),
  });

const noises = () => events.flatMap((event) => (event.type === "agent_noise" ? [event.text] : []));

async function until(condition: () => boolean): Promise<void> {
  for (let round = 0; round < 200 && !condition(); round++)
    await new Promise((resolve) => setTimeout(resolve, 50));
  expect(condition()).toBe(true);
}

function isAlive(pid: number): boolean {
  try {
    // A zombie has ended; it only waits for its parent.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
  } catch {
    return false;
  }
}

describe("a conversation", () => {
  it("sends one complete line per step and reads one answer", async () => {
    const session = await start(
      "agent.py",
      `import sys, json
for line in sys.stdin:
    request = json.loads(line)
    open(${JSON.stringify(join(dir, "requests"))}, "a").write(line)
    done = request["step"] == 2
    print(json.dumps({"command": None if done else "echo hi", "task_complete": done}), flush=True)
`,
    );
    expect(await ask(session, 1)).toEqual(command("echo hi"));
    const second = request(2, { last_command: "echo hi", output: "hi\u{1F600}\n", exit_code: 0 });
    const signal = new AbortController().signal;
    expect(await session.ask(second, { timeoutMs: 30_000, signal })).toEqual({
      kind: "response",
      response: { command: null, task_complete: true, text: null, data: null, extra: {} },
    });
    const lines = readFileSync(join(dir, "requests"), "utf8").trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual([request(1), second]);
    expect(await session.close("completed")).toEqual({ exitCode: 0, signal: null });
    expect(events[0]).toMatchObject({ type: "agent_started", pid: expect.any(Number) });
  });

  it("tells the agent its limits", async () => {
    const session = await start(
      "agent.sh",
      `read -r line
vars=$(env | grep '^TERM_' | grep -v OWNER | sort | tr '\\n' ' ')
echo "{\\"command\\": \\"$vars\\"}"`,
      { agentTimeoutSec: 90 },
    );
    expect(await ask(session, 1)).toEqual(
      command(
        "TERM_AGENT_TIMEOUT_SEC=90 TERM_ATTEMPT=2 TERM_COMMAND_TIMEOUT_SEC=20 " +
          "TERM_MAX_STEPS=7 TERM_STEP_TIMEOUT_SEC=30 TERM_TASK=hello ",
      ),
    );
  });

  it("leaves out the time limit when there is none", async () => {
    const session = await start(
      "agent.sh",
      `read -r line; echo "{\\"command\\": \\"\${TERM_AGENT_TIMEOUT_SEC-none}\\"}"`,
    );
    expect(await ask(session, 1)).toEqual(command("none"));
  });

  it("keeps credentials from the agent", async () => {
    const session = await start(
      "agent.sh",
      `read -r line; echo "{\\"command\\": \\"\${MY_API_KEY-none} \${PLAIN-none}\\"}"`,
      { env: { MY_API_KEY: "hunter22", PLAIN: "plain" } },
    );
    expect(await ask(session, 1)).toEqual(command("none plain"));
  });

  it("keeps an early second answer for the next step", async () => {
    const session = await start(
      "agent.sh",
      `read -r line; printf '{"command":"one"}\\n{"command":"two"}\\n'
read -r line; read -r line; echo '{"command":"three"}'`,
    );
    expect(await ask(session, 1)).toEqual(command("one"));
    expect(await ask(session, 2)).toEqual(command("two"));
    expect(await ask(session, 3)).toEqual(command("three"));
  });

  it("reads a pretty-printed answer", async () => {
    const session = await start(
      "agent.sh",
      `read -r line; printf '{\\n  "command": "ls"\\n}\\n'; read -r line`,
    );
    expect(await ask(session, 1)).toEqual(command("ls"));
  });

  it("is not frozen by 5 MB of stderr, and hides secrets in it", async () => {
    const session = await start(
      "agent.py",
      `import sys
sys.stdin.readline()
for at in range(5000):
    sys.stderr.write("x" * 999 + "\\n")
sys.stderr.write("key hunter22\\n")
sys.stderr.flush()
print('{"command": "after"}', flush=True)
sys.stdin.readline()
`,
    );
    expect(await ask(session, 1)).toEqual(command("after"));
    await until(() => events.some((event) => JSON.stringify(event).includes("key ***")));
    await session.close("completed");
    const log = readFileSync(join(dir, "stderr.log"), "utf8");
    expect(log.length).toBeGreaterThan(5_000_000);
    expect(log).toContain("key ***");
    expect(log).not.toContain("hunter22");
  });
});

describe("noise", () => {
  it("is passed over and reported", async () => {
    const session = await start(
      "agent.sh",
      `read -r line; echo "Loading..."; echo; echo '[1]'; echo '{"command":"ls"}'; read -r line`,
    );
    expect(await ask(session, 1)).toEqual(command("ls"));
    expect(noises()).toEqual(["Loading...", "[1]"]);
  });

  it.each([
    ["agent.sh", `read -r l; echo thinking; sleep 3; echo '{"command":"late"}'; cat > rest`],
    [
      "agent.py",
      `import sys, time
sys.stdin.readline()
print("thinking", flush=True)
time.sleep(3)
print('{"command":"late"}', flush=True)
open("rest", "w").write(sys.stdin.read())
`,
    ],
    [
      "agent.mjs",
      `import { createInterface } from "node:readline";
import { writeFileSync } from "node:fs";
let lines = 0;
const input = createInterface({ input: process.stdin });
input.on("line", () => {
  if (lines++ > 0) return;
  console.log("thinking");
  setTimeout(() => console.log('{"command":"late"}'), 3000);
});
input.on("close", () => writeFileSync("rest", "x".repeat(lines - 1)));
`,
    ],
  ])("does not cut off an answer that comes 3 s later (%s)", async (file, source) => {
    const rest = JSON.stringify(join(dir, "rest"));
    const session = await start(file, source.replace(/"rest"|\brest$/, rest));
    expect(await ask(session, 1)).toEqual(command("late"));
    await session.close("completed");
    expect(readFileSync(join(dir, "rest"), "utf8")).toBe("");
  });

  it.each([
    [
      "agent.py",
      `import sys
for line in sys.stdin:
    if '"step": 1' in line: print("I would run ls.", flush=True)
    else: print('{"command":"ls"}', flush=True)
`,
    ],
    [
      "agent.mjs",
      `import { createInterface } from "node:readline";
createInterface({ input: process.stdin }).on("line", (line) =>
  console.log(line.includes('"step": 1') ? "I would run ls." : '{"command":"ls"}'));
`,
    ],
    [
      "agent.sh",
      `read -r line; echo "I would run ls."; read -r line; echo '{"command":"ls"}'; read -r line`,
    ],
  ])("without an answer is invalid once the agent waits again (%s)", async (file, source) => {
    const session = await start(file, source);
    expect(await ask(session, 1, 30_000)).toMatchObject({
      kind: "invalid",
      problem: "what the agent printed is not a JSON object",
    });
    expect(await ask(session, 2)).toEqual(command("ls"));
  });
});

describe("a wrong answer", () => {
  it("is invalid, with the reason and the text, and the next one counts", async () => {
    const session = await start(
      "agent.sh",
      `read -r line; echo '{"command": 5}'
read -r line; echo '{command}'
read -r line; echo '{"command": "ls"}'; read -r line`,
    );
    expect(await ask(session, 1)).toEqual({
      kind: "invalid",
      problem: '"command" must be string or null, not 5',
      raw: '{"command": 5}',
    });
    expect(await ask(session, 1)).toMatchObject({ kind: "invalid", raw: "{command}" });
    expect(await ask(session, 1)).toEqual(command("ls"));
  });

  it("may be an object that is never closed", async () => {
    const session = await start(
      "agent.py",
      `import sys
sys.stdin.readline()
print('{"command": "ls"', flush=True)
sys.stdin.readline()
print('{"command": "pwd"}', flush=True)
sys.stdin.readline()
`,
    );
    expect(await ask(session, 1)).toEqual({
      kind: "invalid",
      problem: "the JSON object is not closed",
      raw: '{"command": "ls"',
    });
    expect(await ask(session, 2)).toEqual(command("pwd"));
  });

  it("may be a line of 11 MiB", async () => {
    const session = await start(
      "agent.py",
      `import sys
sys.stdin.readline()
print('{"command": "' + "x" * (11 * 1024 * 1024) + '"}', flush=True)
sys.stdin.readline()
print('{"command": "small"}', flush=True)
sys.stdin.readline()
`,
    );
    expect(await ask(session, 1)).toMatchObject({
      kind: "invalid",
      problem: "the answer is longer than 10 MiB",
    });
    expect(await ask(session, 2)).toEqual(command("small"));
  });
});

describe("an agent that ends", () => {
  it("is explained by its code, its last words and what was kept from it", async () => {
    const session = await start(
      "agent.sh",
      `read -r line; echo "KeyError: MY_API_KEY hunter22" >&2; exit 3`,
      { env: { MY_API_KEY: "hunter22", OTHER_TOKEN: "secret-token" } },
    );
    expect(await ask(session, 1)).toEqual({
      kind: "exited",
      message:
        "the agent exited with code 3 before it completed the task; " +
        "the last of its stderr:\nKeyError: MY_API_KEY ***",
      hint: "These variables were kept from the agent: MY_API_KEY, OTHER_TOKEN. Pass one with --env NAME.",
    });
    expect(await session.close("agent_crashed")).toEqual({ exitCode: 3, signal: null });
  });

  it("is explained by its signal, and gets no hint when nothing was kept from it", async () => {
    const session = await start("agent.sh", "read -r line; kill -KILL $$");
    expect(await ask(session, 1)).toEqual({
      kind: "exited",
      message: "the agent was ended by SIGKILL before it completed the task",
      hint: null,
    });
  });

  it("still has its last answer read", async () => {
    const session = await start("agent.sh", `read -r line; echo '{"command":"ls"}'; exit 1`);
    expect(await ask(session, 1)).toEqual(command("ls"));
    expect(await ask(session, 2)).toMatchObject({ kind: "exited" });
  });

  it("is noticed although a child of its holds stdout open", async () => {
    const session = await start("agent.sh", "sleep 300 & read -r line; exit 4");
    expect(await ask(session, 1)).toMatchObject({
      kind: "exited",
      message: expect.stringContaining("exited with code 4"),
    });
  });
});

describe("time", () => {
  it("runs out for a step", async () => {
    const session = await start("agent.sh", "read -r line; sleep 300");
    expect(await ask(session, 1, 700)).toEqual({ kind: "timeout" });
  });

  it("stops when the run is interrupted", async () => {
    const session = await start("agent.sh", "read -r line; sleep 300");
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error("interrupted")), 300);
    const asked = session.ask(request(1), { timeoutMs: 60_000, signal: stop.signal });
    await expect(asked).rejects.toThrow("interrupted");
  });
});

describe("close", () => {
  it.each(["completed", "agent_timeout"] as const)(
    "leaves no process behind, whatever it did to hide (%s)",
    async (end) => {
      const pids = join(dir, "pids");
      const session = await start(
        "agent.sh",
        `cd ${dir}
sleep 301 & echo $! >> pids
setsid sh -c 'echo $$ >> pids; exec sleep 302' &
(setsid nohup sh -c 'trap "" TERM HUP; echo $$ >> pids; while :; do sleep 1; done' >/dev/null 2>&1 &)
echo $$ >> pids
read -r line; echo '{"task_complete":true}'; read -r line`,
      );
      const read = () => (existsSync(pids) ? readFileSync(pids, "utf8").trim().split("\n") : []);
      await until(() => read().length === 4);
      expect(await ask(session, 1)).toMatchObject({ kind: "response" });
      const started = read().map(Number);
      expect(started.filter((pid) => pid !== started.at(-1)).every(isAlive)).toBe(true);
      await session.close(end);
      await until(() => !started.some(isAlive));
    },
  );

  it("ends an agent that ignores SIGTERM", async () => {
    const session = await start(
      "agent.sh",
      `trap "" TERM; read -r line; while :; do sleep 1; done`,
    );
    expect(await ask(session, 1, 500)).toEqual({ kind: "timeout" });
    expect(await session.close("agent_timeout")).toEqual({ exitCode: null, signal: "SIGKILL" });
  });

  it("lets an agent that has completed clean up", async () => {
    const session = await start(
      "agent.sh",
      `read -r line; echo '{"task_complete":true}'; read -r line; sleep 1; touch ${dir}/clean; exit 5`,
    );
    await ask(session, 1);
    expect(await session.close("completed")).toEqual({ exitCode: 5, signal: null });
    expect(existsSync(join(dir, "clean"))).toBe(true);
  });
});

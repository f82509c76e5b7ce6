import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AgentProcess } from "../../../src/agent/command/process.js";
import { resolveAgent } from "../../../src/agent/command/resolve.js";
import type { StepRequest } from "../../../src/protocol/types.js";
import { LEASHES } from "../../support/leashes.js";
import { environmentFor } from "../bench.js";
import { until, useBench } from "../support.js";

describe.each(LEASHES)("$name", ({ leash }) => {
  const bench = useBench();
  let noises: string[] = [];

  function start(file: string, source: string): AgentProcess {
    noises = [];
    const agent = new AgentProcess({
      command: resolveAgent(bench.write(file, source)),
      env: environmentFor().env,
      leash,
      watchdog: bench.watchdog,
      observer: { noise: (text) => noises.push(text) },
    });
    bench.releases.push(() => agent.end({ gentle: false }));
    return agent;
  }

  function request(step: number): StepRequest {
    const none = { last_command: null, output: null, exit_code: null };
    return { instruction: "Say hello", step, ...none, cwd: "/app" };
  }

  function ask(agent: AgentProcess, step: number, timeoutMs = 30_000) {
    agent.send(request(step));
    return agent.answer({ timeoutMs, signal: new AbortController().signal });
  }

  const command = (text: string) =>
    expect.objectContaining({
      kind: "response",
      response: expect.objectContaining({ command: text }),
    });

  describe("a conversation", () => {
    it("keeps an early second answer for the next step", async () => {
      const agent = start(
        "agent.sh",
        `read -r line; printf '{"command":"one"}\\n{"command":"two"}\\n'
read -r line; read -r line; echo '{"command":"three"}'`,
      );
      expect(await ask(agent, 1)).toEqual(command("one"));
      expect(await ask(agent, 2)).toEqual(command("two"));
      expect(await ask(agent, 3)).toEqual(command("three"));
    });

    it("reads a pretty-printed answer", async () => {
      const agent = start(
        "agent.sh",
        `read -r line; printf '{\\n  "command": "ls"\\n}\\n'; read -r line`,
      );
      expect(await ask(agent, 1)).toEqual(command("ls"));
    });
  });

  describe("noise", () => {
    it("is skipped and reported", async () => {
      const agent = start(
        "agent.sh",
        `read -r line; echo "Loading..."; echo; echo '[1]'; echo '{"command":"ls"}'; read -r line`,
      );
      expect(await ask(agent, 1)).toEqual(command("ls"));
      expect(noises).toEqual(["Loading...", "[1]"]);
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
      const rest = JSON.stringify(join(bench.dir, "rest"));
      const agent = start(file, source.replace(/"rest"|\brest$/, rest));
      expect(await ask(agent, 1)).toEqual(command("late"));
      await agent.end({ gentle: true });
      expect(readFileSync(join(bench.dir, "rest"), "utf8")).toBe("");
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
      const agent = start(file, source);
      expect(await ask(agent, 1, 30_000)).toMatchObject({
        kind: "invalid",
        problem: "what the agent printed is not a JSON object",
      });
      expect(await ask(agent, 2)).toEqual(command("ls"));
    });
  });

  describe("a wrong answer", () => {
    it("is invalid, with the reason and the text, and the next one counts", async () => {
      const agent = start(
        "agent.sh",
        `read -r line; echo '{"command": 5}'
read -r line; echo '{command}'
read -r line; echo '{"command": "ls"}'; read -r line`,
      );
      expect(await ask(agent, 1)).toEqual({
        kind: "invalid",
        problem: '"command" must be string or null, not 5',
        raw: '{"command": 5}',
      });
      expect(await ask(agent, 1)).toMatchObject({ kind: "invalid", raw: "{command}" });
      expect(await ask(agent, 1)).toEqual(command("ls"));
    });

    it("may be an object that is never closed", async () => {
      const agent = start(
        "agent.py",
        `import sys
sys.stdin.readline()
print('{"command": "ls"', flush=True)
sys.stdin.readline()
print('{"command": "pwd"}', flush=True)
sys.stdin.readline()
`,
      );
      expect(await ask(agent, 1)).toEqual({
        kind: "invalid",
        problem: "the JSON object is not closed",
        raw: '{"command": "ls"',
      });
      expect(await ask(agent, 2)).toEqual(command("pwd"));
    });

    it("may be a line of 11 MiB", async () => {
      const agent = start(
        "agent.py",
        `import sys
sys.stdin.readline()
print('{"command": "' + "x" * (11 * 1024 * 1024) + '"}', flush=True)
sys.stdin.readline()
print('{"command": "small"}', flush=True)
sys.stdin.readline()
`,
      );
      expect(await ask(agent, 1)).toMatchObject({
        kind: "invalid",
        problem: "the answer is longer than 10 MiB",
      });
      expect(await ask(agent, 2)).toEqual(command("small"));
    });
  });

  describe("an agent that ends", () => {
    it("still has its last answer read", async () => {
      const agent = start("agent.sh", `read -r line; echo '{"command":"ls"}'; exit 1`);
      expect(await ask(agent, 1)).toEqual(command("ls"));
      expect(await ask(agent, 2)).toMatchObject({ kind: "exited" });
    });

    it("is noticed even if one of its children holds stdout open", async () => {
      const agent = start("agent.sh", "sleep 300 & read -r line; exit 4");
      expect(await ask(agent, 1)).toMatchObject({
        kind: "exited",
        how: "exited with code 4",
      });
    });

    it("is explained by the signal that killed it", async () => {
      const agent = start("agent.sh", "read -r line; kill -KILL $$");
      expect(await ask(agent, 1)).toEqual({ kind: "exited", how: "was killed by SIGKILL" });
    });

    it("is noticed when it only closes its stdout", async () => {
      const agent = start("agent.sh", "read -r line; exec >&-; exec sleep 300");
      expect(await ask(agent, 1)).toEqual({ kind: "exited", how: "closed its stdout" });
    });

    it("has all of its stderr read before it is explained", async () => {
      const agent = start(
        "agent.py",
        `import os, sys
sys.stdin.readline()
sys.stderr.write("x" * 60000 + "\\nthe last line, without a newline")
sys.stderr.flush()
os._exit(3)
`,
      );
      expect(await ask(agent, 1)).toEqual({ kind: "exited", how: "exited with code 3" });
      expect(agent.stderr).toMatch(/the last line, without a newline$/);
    });

    it("may never have started", async () => {
      const broken = new AgentProcess({
        command: {
          name: "broken",
          command: bench.write("broken", "no program"),
          args: [],
          cwd: bench.dir,
        },
        env: {},
        leash,
        watchdog: bench.watchdog,
      });
      expect(await ask(broken, 1)).toEqual({
        kind: "exited",
        how: expect.stringMatching(/^could not be started: .*EACCES/),
      });
      expect(await broken.end({ gentle: true })).toEqual({ exitCode: null, signal: null });
    });
  });

  describe("time", () => {
    it("runs out for a step", async () => {
      const agent = start("agent.sh", "read -r line; sleep 300");
      expect(await ask(agent, 1, 700)).toEqual({ kind: "timeout" });
    });

    it("stops when the signal is aborted", async () => {
      const agent = start("agent.sh", "read -r line; echo got it; exec sleep 300");
      const stop = new AbortController();
      agent.send(request(1));
      const answer = agent.answer({ timeoutMs: 60_000, signal: stop.signal });
      await until(() => noises.length > 0);
      stop.abort(new Error("interrupted"));
      await expect(answer).rejects.toThrow("interrupted");
    });

    it("without an end is not busy waiting", async () => {
      const agent = start("agent.sh", `read -r line; read -r line; echo '{"command":"ls"}'`);
      agent.send(request(1));
      const signal = new AbortController().signal;
      const answer = agent.answer({ timeoutMs: Number.POSITIVE_INFINITY, signal });
      agent.send(request(1));
      expect(await answer).toEqual(command("ls"));
    });
  });

  describe("an agent that waits", () => {
    it.each([
      ["reads", "sys.stdin.read()", { waiting: true, only: true }],
      [
        "reads in a thread, and thinks",
        "thread(sys.stdin.read); time.sleep(300)",
        { waiting: true, only: false },
      ],
      [
        "reads, with a connection open",
        "peers = socket.socketpair(); sys.stdin.read()",
        { waiting: true, only: false },
      ],
      [
        "reads, with a child that it never asked about",
        "subprocess.Popen(['true']); sys.stdin.read()",
        { waiting: true, only: true },
      ],
      ["sleeps", "time.sleep(300)", { waiting: false, only: false }],
    ])("is distinguished from one that thinks: it %s", async (_, statement, expected) => {
      const agent = start(
        "agent.py",
        `import socket, subprocess, sys, threading, time
thread = lambda work: threading.Thread(target=work, daemon=True).start()
print("here", flush=True)
${statement}
`,
      );
      await until(() => noises.length > 0);
      const look = async () => ({
        waiting: await agent.isWaiting(),
        only: await agent.isWaitingOnly(),
      });
      await expect.poll(look, { timeout: 10_000 }).toEqual(expected);
    });
  });
});

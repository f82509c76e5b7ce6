import { beforeAll, describe, expect, it } from "vitest";
import type { SandboxProvider } from "../../src/interfaces/index.js";
import { APART, KINDS, LIGHTEST, openProvider } from "../sandbox/kinds.js";
import { done, run, runOne, scripted, write } from "../support/trials.js";

describe.each(KINDS)("a conversation ($name)", (kind) => {
  let provider: SandboxProvider;
  beforeAll(async () => {
    provider = await openProvider(kind);
  });

  it("carries unicode, NUL and cut output to the agent unchanged", async () => {
    const { requests, find } = await runOne({
      provider,
      limits: { outputLimitBytes: 100 * 1024 },
      agent: scripted(
        run("printf 'ünï 😀 \\000 \\377'"),
        run("i=0; while [ $i -lt 9000 ]; do printf '%s' 'ééééé😀😀😀é'; i=$((i+1)); done"),
        done,
      ),
    });
    const [, second, third] = requests
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(second.output).toBe("ünï 😀 \0 \ufffd");
    expect(third.output).toMatch(/^ééééé😀.* bytes of output left out here.*😀é$/s);
    expect(third.output).not.toContain("\ufffd");
    expect(find("command_finished")[1]?.cut_bytes).toBeGreaterThan(0);
  });

  it("continues after a command that timed out", async () => {
    const { requests, result, commands } = await runOne({
      provider,
      limits: { commandTimeoutSec: 1.5 },
      agent: scripted(run("cd /tmp; x=kept; echo part; sleep 1000"), run('echo "$x $PWD"'), done),
    });
    expect(commands[0]).toMatchObject({ exit_code: 124, timed_out: true, cwd: "/tmp" });
    expect(JSON.parse(requests.split("\n")[1] as string)).toMatchObject({
      output: expect.stringMatching(/^part\n\[term-run: .* killed\]$/),
      exit_code: 124,
      cwd: "/tmp",
    });
    expect(commands[1]).toMatchObject({ output: "kept /tmp", exit_code: 0 });
    expect(result.outcome).toBe("failed");
  });
});

// The step loop's own work, the same in every sandbox.
describe("a conversation", () => {
  let provider: SandboxProvider;
  beforeAll(async () => {
    provider = await openProvider(LIGHTEST);
  });

  it("asks again after an invalid response, with the reason", async () => {
    const { requests, result, find } = await runOne({
      provider,
      agent: scripted('{"command": 7}', write, '{"command": "oops', "{command: oops}", done),
    });
    const lines = requests
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map(({ step, error }) => [step, error])).toEqual([
      [1, undefined],
      [1, '"command" must be string or null, not 7'],
      [2, undefined],
      [2, expect.any(String)],
      [2, expect.any(String)],
    ]);
    expect(lines[1]).toEqual({ ...lines[0], error: lines[1].error });
    expect(find("response_invalid")).toHaveLength(3);
    expect(result.outcome).toBe("passed");
  });

  it("runs a command that comes with completion, then ends", async () => {
    const { result, commands } = await runOne({
      provider,
      agent: scripted({ ...write, task_complete: true }, run("echo never")),
    });
    expect(result).toMatchObject({ outcome: "passed", steps: 1 });
    expect(commands).toHaveLength(1);
  });

  it("has no last command after an idle step", async () => {
    const { requests, result } = await runOne({
      provider,
      agent: scripted(write, { text: "thinking" }, { command: "  " }, done),
    });
    expect(requests.trim().split("\n").slice(2)).toEqual([
      expect.stringContaining('"step": 3, "last_command": null, "output": null, "exit_code": null'),
      expect.stringContaining('"step": 4, "last_command": null, "output": null, "exit_code": null'),
    ]);
    expect(result.outcome).toBe("passed");
  });

  it("runs the legacy response's keystrokes as shell lines, in order, and notes it", async () => {
    const { result, find, commands } = await runOne({
      provider,
      agent: scripted(
        {
          analysis: "nothing there",
          plan: "write it",
          commands: [
            { keystrokes: "x='Hello, world!'\n", duration: 0.1 },
            { keystrokes: 'echo "$x" > hello.txt\n' },
          ],
          task_complete: false,
        },
        { analysis: "", plan: "", commands: [], task_complete: true },
      ),
    });
    expect(result).toMatchObject({ outcome: "passed", steps: 2 });
    expect(commands).toHaveLength(1);
    expect(find("note")[0]?.text).toContain("legacy answer");
  });
});

// The local one's working directory is not /app.
it.each(APART)(
  "a conversation ($name) is the protocol's own example, byte for byte",
  async (kind) => {
    const { requests, result } = await runOne({
      provider: await openProvider(kind),
      agent: scripted(
        `{"command": "echo 'Hello, world!' > hello.txt", "task_complete": false}`,
        `{"command": "cat hello.txt", "task_complete": false, "text": "Verifying file was created"}`,
        `{"command": null, "task_complete": true, "text": "File created successfully"}`,
      ),
    });
    expect(requests).toBe(
      [
        `{"instruction": "Create hello.txt with 'Hello, world!'", "step": 1, "last_command": null, "output": null, "exit_code": null, "cwd": "/app"}`,
        `{"instruction": "Create hello.txt with 'Hello, world!'", "step": 2, "last_command": "echo 'Hello, world!' > hello.txt", "output": "", "exit_code": 0, "cwd": "/app"}`,
        `{"instruction": "Create hello.txt with 'Hello, world!'", "step": 3, "last_command": "cat hello.txt", "output": "Hello, world!", "exit_code": 0, "cwd": "/app"}`,
        "",
      ].join("\n"),
    );
    expect(result).toMatchObject({ outcome: "passed", reward: 1, steps: 3, error: null });
  },
);

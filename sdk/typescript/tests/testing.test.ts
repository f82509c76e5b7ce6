import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { Response } from "../src/index.js";
import { drive, driveScript, type LocalShell, localShell, scripted } from "../src/testing/index.js";

let shell: LocalShell | undefined;
afterEach(() => shell?.close());

test("drives an agent against scripted replies", async () => {
  const calls: string[] = [];
  const trial = await drive(
    {
      setup: () => void calls.push("setup"),
      solve: (request) =>
        request.first ? Response.cmd("ls") : Response.done(`${request.output} in ${request.cwd}`),
      cleanup: () => void calls.push("cleanup"),
    },
    { shell: scripted([{ command: /^ls/, output: "a", cwd: "/tmp" }]), instruction: "look" },
  );
  expect(trial).toMatchObject({ end: "complete", completed: true, commands: ["ls"], errors: [] });
  expect(trial.steps[0]?.request).toMatchObject({ instruction: "look", step: 1, cwd: "/app" });
  expect(trial.steps[1]?.response.text).toBe("a in /tmp");
  expect(calls).toEqual(["setup", "cleanup"]);
});

test("an unexpected command fails the test", async () => {
  const ls = () => Response.cmd("ls");
  await expect(drive(ls, { shell: scripted([{ command: "pwd" }]) })).rejects.toThrow(
    "command 1 should be pwd, but was ls",
  );
  await expect(drive(ls, { shell: scripted([]) })).rejects.toThrow("no reply left for command 1");
});

test("ends as a runner would", async () => {
  const idle = await drive(() => Response.say("hm"), { shell: scripted([]) });
  expect(idle).toMatchObject({ end: "idle", completed: false });
  expect(idle.steps).toHaveLength(3);
  const busy = await drive(() => Response.cmd("ls"), { shell: scripted([{}, {}]), maxSteps: 2 });
  expect(busy).toMatchObject({ end: "max_steps", commands: ["ls", "ls"] });
  const failing = await drive(() => Promise.reject(new Error("boom")), { shell: scripted([]) });
  expect(failing.end).toBe("idle");
  expect(failing.errors).toHaveLength(3);
});

test("drives a script", async () => {
  const trial = await driveScript(async (terminal) => (await terminal.run("ls")).output, {
    shell: scripted([{ output: "a" }]),
  });
  expect(trial.end).toBe("complete");
  expect(trial.steps.at(-1)?.response.text).toBe("a");
  const failed = await driveScript(() => Promise.reject(new Error("boom")), {
    shell: scripted([]),
  });
  expect(failed.end).toBe("stopped");
  expect(failed.errors).toEqual([new Error("boom")]);
});

test("the local shell runs real commands and keeps directory and environment", async () => {
  shell = await localShell();
  const home = shell.cwd;
  const { commands, completed } = await driveScript(
    async (terminal) => {
      await terminal.run("mkdir -p 'a b' && cd 'a b' && export NAME='it is'");
      const result = await terminal.run('echo "$NAME" | tee f; echo two >&2; exit 3');
      expect(result).toMatchObject({ output: "it is\ntwo", exitCode: 3, cwd: join(home, "a b") });
    },
    { shell },
  );
  expect(completed).toBe(true);
  expect(commands).toHaveLength(2);
  expect(await readFile(join(home, "a b", "f"), "utf8")).toBe("it is\n");
});

test("the local shell ends commands that run out of time, and what they left", async () => {
  shell = await localShell({ commandTimeoutMs: 1500 });
  const late = await shell.run("sleep 60 & echo $!; sleep 60");
  expect(late).toMatchObject({ exitCode: 124, output: expect.stringMatching(/^\d+$/) });
  await expectEnded(Number(late.output));
  const { output } = await shell.run("sleep 60 & echo $!");
  const pid = Number(output);
  expect(() => process.kill(pid, 0)).not.toThrow();
  const folder = shell.cwd;
  await shell.close();
  expect(existsSync(folder)).toBe(false);
  await expectEnded(pid);
});

test("the local shell reports a syntax error instead of hanging", async () => {
  shell = await localShell();
  const { exitCode } = await shell.run("echo 'unbalanced");
  expect(exitCode).not.toBe(0);
  expect(await shell.run("cat")).toEqual({ output: "", exitCode: 0 });
});

async function expectEnded(pid: number): Promise<void> {
  await expect.poll(() => isAlive(pid), { timeout: 30_000 }).toBe(false);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie that init hasn't reaped counts as dead.
    return (
      !existsSync(`/proc/${pid}/stat`) || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"))
    );
  } catch {
    return false;
  }
}

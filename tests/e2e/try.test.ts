import { EventEmitter, once } from "node:events";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { describe, expect, it } from "vitest";
import { eachSandbox, HELLO, makePlace, type Place, QUICK } from "./cli.js";
import { runCommand } from "./command.js";
import { expectNoTraces } from "./traces.js";

const MAIN = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
/** How long to wait without any output. */
const QUIET_MS = 45_000;
const GREETING = "echo 'Hello, world!' >hello.txt";

/** A person at a terminal, who types after seeing the expected output. */
function startTry(place: Place, sandbox: string) {
  const line = `exec '${process.execPath}' '${MAIN}' try '${HELLO}' -s ${sandbox}`;
  const child = execa("script", ["-qefc", line, "/dev/null"], {
    cwd: place.dir,
    env: { ...place.env, SHELL: "/bin/sh" },
    reject: false,
  });
  const changed = new EventEmitter();
  let screen = "";
  child.stdout.on("data", (chunk) => {
    screen += chunk;
    changed.emit("change");
  });
  child.on("exit", () => changed.emit("change"));
  return {
    ended: child,
    type: (text: string) => child.stdin.write(text),
    async sees(text: string | RegExp) {
      const isThere = () => (typeof text === "string" ? screen.includes(text) : text.test(screen));
      while (!isThere()) {
        if (child.exitCode !== null) throw new Error(`it ended without ${text}:\n${screen}`);
        await once(changed, "change", { signal: AbortSignal.timeout(QUIET_MS) }).catch(() => {
          throw new Error(`nothing came after:\n${screen}`);
        });
      }
    },
  };
}

eachSandbox("a person", (sandbox) => {
  it("works in a shell of the sandbox, and gets the reward on leaving it", async () => {
    const place = makePlace();
    const person = startTry(place, sandbox);
    await person.sees("Create a file hello.txt");
    await person.sees(/[#$] $/);
    person.type("echo in $((6 * 7)) $PWD\n");
    await person.sees("in 42 /app");
    // Kills what runs in the shell, not term-run.
    // One process, since a shell may miss the signal while it starts another.
    person.type(`awk 'BEGIN { print "be" "gun"; fflush(); getline }'\n`);
    await person.sees(/begun\r+\n/);
    person.type("\x03");
    await person.sees(/[#$] $/);
    person.type(`${GREETING}\nexit\n`);
    await person.sees("✓ reward 1");
    expect((await person.ended).exitCode).toBe(0);
    await expectNoTraces(place);
  });

  it("gets no reward for leaving without doing anything", async () => {
    const place = makePlace();
    const person = startTry(place, sandbox);
    await person.sees(/[#$] $/);
    person.type("\x04");
    await person.sees("✗ reward 0");
    expect((await person.ended).exitCode).toBe(1);
    await expectNoTraces(place);
  });
});

describe.skipIf(!QUICK)("without a terminal", () => {
  it("--command runs lines instead of a shell", async () => {
    const place = makePlace();
    const args = ["try", HELLO, "-s", QUICK, "--command", "cd /tmp && false", "--command", "pwd"];
    const tried = await runCommand(place, ...args, "--command", `cd /app; ${GREETING}`);
    expect(tried).toMatchObject({ exitCode: 0, stderr: "" });
    expect(tried.stdout).toContain("$ cd /tmp && false\nexit code 1\n$ pwd\n/tmp\n");
    expect(tried.stdout).toContain("✓ reward 1");
    await expectNoTraces(place);
  });

  it("a shell is refused, with what to do", async () => {
    const { exitCode, stderr } = await runCommand(makePlace(), "try", HELLO);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("--command LINE");
  });

  it("a folder of several tasks is refused", async () => {
    const { exitCode, stderr } = await runCommand(
      makePlace(),
      "try",
      `${HELLO}/..`,
      "--command",
      "x",
    );
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/there are \d+ tasks in/);
  });
});

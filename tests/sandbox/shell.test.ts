import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Sandbox } from "../../src/interfaces/index.js";
import { APART, KINDS, openSandbox, watchdog } from "./kinds.js";

afterAll(() => watchdog.dismiss());

const signal = new AbortController().signal;
/** A duration that nothing else on the machine sleeps. */
const NAP = 1_000_000 + process.pid;

describe.each(KINDS)("the resident shell ($name)", (kind) => {
  let sandbox: Sandbox;
  const run = (command: string, timeoutMs = 30_000) => sandbox.run(command, { timeoutMs, signal });
  const output = async (command: string) => (await run(command)).output;

  beforeAll(async () => {
    vi.stubEnv("TERM_RUN_TEST_SECRET", "leak");
    sandbox = await openSandbox(kind);
  });
  afterAll(() => {
    vi.unstubAllEnvs();
    return sandbox?.close();
  });

  it("reports output, exit code and directory", async () => {
    const result = await run("echo one; echo two >&2; echo three; (exit 7)");
    expect(result).toMatchObject({ output: "one\ntwo\nthree", exitCode: 7, timedOut: false });
    expect(sandbox.cwd).toBe(sandbox.workdir);
  });

  it("keeps directory, variables and functions", async () => {
    await run("mkdir -p 'a b'; cd 'a b'; x='1  2'; export y=3; f() { echo \"f:$1\"; }");
    expect(sandbox.cwd).toBe(`${sandbox.workdir}/a b`);
    expect(await output('echo "$x" $y; f z; pwd')).toBe(`1  2 3\nf:z\n${sandbox.cwd}`);
    await run("cd ..");
    expect(sandbox.cwd).toBe(sandbox.workdir);
  });

  it("passes heredocs, quotes, backslashes and unicode unchanged", async () => {
    const text = "it's \"$HOME\" `x` \\n \\\\ ünï 😀 %s ; - [ ' $(false)";
    await run(`cat > f.txt <<'END'\n${text}\n\nlast\nEND`);
    expect(await output("cat f.txt")).toBe(`${text}\n\nlast`);
    expect(await output(`printf '%s' '${text.replaceAll("'", `'\\''`)}'`)).toBe(text);
  });

  it("runs commands of any length", async () => {
    const long = "x".repeat(200_000);
    expect(await output(`v='${long}'; echo \${#v}`)).toBe("200000");
    const lines = Array.from({ length: 2000 }, (_, at) => `line ${at} 'é'`).join("\n");
    await run(`cat > long.txt <<'END'\n${lines}\nEND`);
    expect(await output("wc -l < long.txt | tr -d ' '")).toBe("2000");
  });

  it("gives commands an empty stdin", async () => {
    const result = await run('read answer; echo "got:$answer:$?"; cat');
    expect(result.output).toBe("got::1");
  });

  it("reports a syntax error", async () => {
    await run("keep=1");
    const broken = ['echo "unbalanced', "if", "echo $(", 'echo "$(', "echo $(if", "}", "cat <("];
    for (const command of [...broken, ...broken, ...broken]) {
      const result = await run(command);
      expect(result).toMatchObject({ timedOut: false, shellRestarted: false });
      expect(result.output, command).toMatch(/unexpected|unterminated/i);
      expect(result.exitCode, command).not.toBe(0);
    }
    expect(await output("echo $keep $(echo {a,b} | wc -w)")).toMatch(/^1 +[12]$/);
  });

  it("passes on the exit code of the previous command", async () => {
    await run("(exit 42)");
    expect(await output("echo $?")).toBe("42");
    expect(await output("echo $?")).toBe("0");
    await run("exit 3");
    expect(await output('echo "$?"')).toBe("3");
  });

  it("passes NUL bytes and broken UTF-8", async () => {
    expect(await output("printf 'a\\000b'")).toBe("a\0b");
    expect(await output("printf 'a\\377b'")).toBe("a\ufffdb");
  });

  it("survives exit, with the code and in the same directory", async () => {
    await run("cd /tmp; gone=1");
    const result = await run("echo bye; exit 3; echo never");
    expect(result).toMatchObject({ output: "bye", exitCode: 3, shellRestarted: true });
    expect(await output('echo "$PWD:$gone"')).toBe("/tmp:");
    await run(`cd ${sandbox.workdir}`);
  });

  it("survives exec, set -e and a killed shell", async () => {
    expect(await run("exec echo replaced")).toMatchObject({ output: "replaced", exitCode: 0 });
    expect(await run("set -e; false; echo never")).toMatchObject({ output: "", exitCode: 1 });
    expect((await run("kill -9 $$")).exitCode).toBe(137);
    expect(await output("echo alive")).toBe("alive");
  });

  it("survives exec redirections and break", async () => {
    await run("exec >/dev/null 2>&1 </dev/zero");
    expect(await output("echo still here")).toBe("still here");
    await run("break; continue; unset PWD");
    expect(await output("echo fine")).toBe("fine");
  });

  it("is not fooled by a dump of its variables or a trace", async () => {
    expect((await run("set; set -x; true; set +x")).exitCode).toBe(0);
    expect(await output("echo next")).toBe("next");
  });

  it("distinguishes a command's own 124, 137 and 143 from a timeout", async () => {
    for (const code of [124, 137, 143])
      expect(await run(`(exit ${code})`)).toMatchObject({ exitCode: code, timedOut: false });
  });

  it("does not wait for background jobs, and they keep running", async () => {
    const wait = (file: string) => `while [ ! -e ${file} ]; do sleep 0.05; done`;
    // If the shell waited for it, the gate would never be opened.
    const started = await run(`(${wait("gate")}; echo late > late.txt) >/dev/null 2>&1 &`);
    expect(started).toMatchObject({ exitCode: 0, timedOut: false });
    expect(await output(`touch gate; ${wait("late.txt")}; cat late.txt`)).toBe("late");
  });

  it("ends a command that runs out of time, its whole tree, and keeps the state", async () => {
    await run("kept=yes; sleep 1000 & old=$!");
    const nap = `sh -c 'sleep ${NAP} & sleep ${NAP}'`;
    const result = await run(`cd /tmp; echo begun; ${nap}`, 1500);
    expect(result).toMatchObject({ exitCode: 124, timedOut: true, shellRestarted: false });
    expect(result.output).toMatch(/^begun\n\[term-run: .*killed\]$/);
    expect(await output('echo "$kept $PWD"')).toBe("yes /tmp");
    const left = await output(
      `for d in /proc/[0-9]*; do tr '\\0' ' ' 2>/dev/null <$d/cmdline; echo; done | grep -c '^sleep ${NAP}'`,
    );
    expect(left).toBe("0");
    expect((await run("kill -0 $old")).exitCode).toBe(0);
    await run(`kill $old; cd ${sandbox.workdir}`);
  });

  it("runs nothing of a command after its time", async () => {
    await run("rm -f never");
    for (const command of [
      "sleep 1000; touch never",
      "while :; do :; done; touch never",
      "f() { while :; do sleep 0.05; done; }; f; touch never",
      "exec sleep 1000",
    ])
      expect(await run(command, 400), command).toMatchObject({ timedOut: true });
    expect((await run("test -e never")).exitCode).toBe(1);
  });

  it("continues after 100 MB of output, and says what was cut", async () => {
    const result = await run("echo first; yes 0123456789 | head -c 100000000; echo last", 60_000);
    expect(result.outputBytes).toBe(100_000_011);
    expect(result.cutBytes).toBeGreaterThan(99_000_000);
    expect(result.output).toMatch(/^first\n.*bytes of output left out here.*last$/s);
    expect(result.output.length).toBeLessThan(110_000);
    expect(await output("echo after")).toBe("after");
  });

  it("gives a clean environment and the task's variables", async () => {
    expect(await output('echo "$GREETING:$TERM_RUN_TEST_SECRET"')).toBe("hi there:");
  });

  it("works without PATH and with odd settings", async () => {
    await run("saved=$PATH; PATH=; IFS=x; set -u; set -f");
    expect(await run("echo ok")).toMatchObject({ output: "ok", exitCode: 0 });
    await run("PATH=$saved; set +u; set +f; unset IFS");
  });
});

// In the local sandbox /tmp is the machine's own.
it.each(APART)("the resident shell ($name) needs no file that can be removed", async (kind) => {
  const sandbox = await openSandbox(kind);
  try {
    const options = { timeoutMs: 30_000, signal };
    await sandbox.run("rm -rf /tmp/* /tmp/.[!.]* /run/* /var/run/*; kept=1", options);
    const { output } = await sandbox.run("echo $kept; pwd", options);
    expect(output).toBe(`1\n${sandbox.workdir}`);
  } finally {
    await sandbox.close();
  }
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Sandbox } from "../../src/interfaces/index.js";
import { until } from "../support/until.js";
import { KINDS, openSandbox, watchdog } from "./kinds.js";
import { readAll, show } from "./reading.js";

afterAll(() => watchdog.dismiss());

const sh = (script: string, ...words: string[]) => ["/bin/sh", "-c", script, "sh", ...words];
const tty = { columns: 91, rows: 33 };

describe.each(KINDS)("a spawned process ($name)", (kind) => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await openSandbox(kind);
  });
  afterAll(() => sandbox?.close());

  it("has three pipes, its arguments as they are, and an exit code", async () => {
    const process = await sandbox.spawn(sh('cat; echo "$1" >&2; exit 7', 'it\'s "$x" ü'));
    const streams = Promise.all([readAll(process.stdout), readAll(process.stderr)]);
    process.stdin.write("in ");
    process.stdin.end("put");
    expect(await streams).toEqual(["in put", 'it\'s "$x" ü\n']);
    expect(await process.exit).toBe(7);
  });

  it("has the requested directory and variables, or the sandbox's own", async () => {
    const script = 'printf "%s " "$PWD" "$GREETING" "$EXTRA"';
    const own = await sandbox.spawn(sh(script));
    expect(await readAll(own.stdout)).toBe(`${sandbox.workdir} hi there  `);
    const other = await sandbox.spawn(sh(script), { cwd: "/tmp", env: { EXTRA: "a b" } });
    expect(await readAll(other.stdout)).toBe("/tmp hi there a b ");
  });

  it("passes on more bytes than any buffer holds, at the reader's pace", async () => {
    const process = await sandbox.spawn(sh("head -c 20000000 /dev/zero"));
    let bytes = 0;
    for await (const chunk of process.stdout) {
      bytes += chunk.length;
      if (bytes < 500_000) await new Promise(setImmediate);
    }
    expect(bytes).toBe(20_000_000);
    expect(await process.exit).toBe(0);
  });

  it("takes more input than any buffer holds, up to its end", async () => {
    const process = await sandbox.spawn(sh("wc -c"));
    const counted = readAll(process.stdout);
    process.stdin.end(Buffer.alloc(5_000_000));
    expect((await counted).trim()).toBe("5000000");
  });

  it("is killed with what it started", async () => {
    const process = await sandbox.spawn(sh("sleep 1234 & echo $$; wait"));
    await show(process.stdout).until(/\n/);
    const commands = async () => (await sandbox.listProcesses()).map(({ command }) => command);
    expect(await commands()).toContain("sleep 1234");
    process.kill();
    expect(await process.exit).not.toBe(0);
    const isGone = async () =>
      !(await commands()).some((command) => command.includes("sleep 1234"));
    await until(isGone, { what: "the end of what it started" });
  });

  it("has a terminal of the requested size, and is notified of a new one", async () => {
    const script = `read line
      trap 'echo "now $(stty size)"; exit 3' WINCH
      [ -t 0 ] && [ -t 1 ] && [ -t 2 ] && echo "was $(stty size) $TERM"
      while :; do read line; done`;
    const process = await sandbox.spawn(sh(script), { tty });
    const screen = show(process.stdout);
    expect(await readAll(process.stderr)).toBe("");
    process.stdin.write("go\n");
    await screen.until("was 33 91 xterm\r\n");
    process.resize({ columns: 120, rows: 40 });
    await screen.until("now 40 120\r\n");
    expect(await process.exit).toBe(3);
  });

  it("has a terminal with an end of input", async () => {
    const process = await sandbox.spawn(sh('read line; echo "got:$line"; cat; echo over'), { tty });
    const screen = show(process.stdout);
    process.stdin.write("word\n");
    await screen.until("got:word");
    process.stdin.end();
    await screen.until("over");
    expect(await process.exit).toBe(0);
  });

  it("has a terminal with job control: Ctrl-C ends the command, not its shell", async () => {
    const shell = kind.bash ? ["bash", "--norc", "-i"] : ["/bin/sh", "-i"];
    const process = await sandbox.spawn(shell, { tty, env: { PS1: "> " } });
    const screen = show(process.stdout);
    await screen.until("> ");
    // One process, since a shell may miss the key while it starts another.
    const hang = (word: string) =>
      `awk 'BEGIN { print "now" "-${word}"; fflush(); getline }'; echo\n`;
    process.stdin.write(hang("one"));
    await screen.until("now-one\r\n");
    process.stdin.write("\x03");
    await screen.until(/now-one\r\n[^>]*> /);
    process.stdin.write(hang("two"));
    await screen.until("now-two\r\n");
    process.stdin.write("\x1a");
    await screen.until(/now-two\r\n[^>]*> /);
    process.stdin.write("jobs\n");
    expect(await screen.until(/Stopped.*awk/)).not.toContain("job control turned off");
    process.stdin.write("exit 5\n");
    process.stdin.write("exit 5\n");
    expect(await process.exit, screen.text).toBe(5);
  });

  it("with a terminal is killed, too", async () => {
    const process = await sandbox.spawn(sh("echo here; exec sleep 1000"), { tty });
    await show(process.stdout).until("here");
    process.kill();
    expect(await process.exit).not.toBe(0);
  });

  it("that can't be started gives an error or an exit code", async () => {
    const code = await sandbox.spawn(["/no/such/program"]).then(
      (process) => {
        process.stdout.resume();
        process.stderr.resume();
        return process.exit;
      },
      (error) => error,
    );
    expect(code).not.toBe(0);
    expect(code).not.toBeNull();
  });
});

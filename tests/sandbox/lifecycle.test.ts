import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Sandbox } from "../../src/interfaces/index.js";
import { findProcesses } from "../e2e/traces.js";
import { until } from "../support/until.js";
import { APART, KINDS, makeTask, openSandbox, watchdog } from "./kinds.js";

afterAll(() => watchdog.dismiss());

const signal = new AbortController().signal;
const options = { timeoutMs: 30_000, signal };

describe.each(KINDS)("a sandbox ($name)", (kind) => {
  let sandbox: Sandbox;
  let host: string;
  const run = (command: string) => sandbox.run(command, options);
  const output = async (command: string) => (await run(command)).output;

  beforeEach(async () => {
    host = await mkdtemp(join(tmpdir(), "term-run-test-"));
  });
  afterEach(async () => {
    await sandbox?.close();
    await rm(host, { recursive: true, force: true });
  });

  it("copies folders in and out, modes and links included", async () => {
    await mkdir(join(host, "in/deep dir"), { recursive: true });
    await writeFile(join(host, "in/deep dir/ünï.txt"), "text\n");
    await writeFile(join(host, "in/tool.sh"), "#!/bin/sh\necho ran\n");
    await chmod(join(host, "in/tool.sh"), 0o755);
    await symlink("tool.sh", join(host, "in/link"));
    sandbox = await openSandbox(kind);
    await sandbox.upload(join(host, "in"), "/opt/given");
    const given = sandbox.path("/opt/given");
    expect(await output(`cat '${given}/deep dir/ünï.txt'; ${given}/link`)).toBe("text\nran");
    await run(`mkdir -p ${sandbox.path("/logs/x")}; cd ${sandbox.path("/logs")}; echo 1 > x/a`);
    await run("ln -s /etc/passwd x/escape; mkfifo x/pipe; mkdir x/empty");
    await sandbox.download("/logs", join(host, "out"));
    expect(await readFile(join(host, "out/x/a"), "utf8")).toBe("1\n");
    expect(existsSync(join(host, "out/x/empty"))).toBe(true);
    expect((await readdir(join(host, "out/x"))).sort()).toEqual(["a", "empty"]);
  });

  it("downloads nothing from a missing folder", async () => {
    sandbox = await openSandbox(kind);
    await sandbox.download("/no/such", join(host, "out"));
    expect(existsSync(join(host, "out/such"))).toBe(false);
  });

  it("starts with the task's files in the working directory, owned by the shell's user", async () => {
    await writeFile(join(host, "given.txt"), "given");
    sandbox = await openSandbox(kind, makeTask({ filesDir: host }));
    expect(await output("cat given.txt; echo more >> given.txt; touch new; ls")).toMatch(
      /^givengiven.txt\nnew$/,
    );
  });

  it("runs exec apart from the shell, with its own directory and variables", async () => {
    sandbox = await openSandbox(kind);
    await run("cd /; x=shell; export y=shell");
    const cwd = sandbox.workdir;
    const result = await sandbox.exec('echo "$PWD:$x:$y:$Z"; exit 5', {
      ...options,
      cwd,
      env: { Z: "it's" },
    });
    expect(result).toMatchObject({ output: `${cwd}:::it's`, exitCode: 5 });
    expect(sandbox.cwd).toBe("/");
  });

  it("takes the exit of exec's own process for its end, whatever is printed or still runs", async () => {
    sandbox = await openSandbox(kind);
    // The marks that end a command in the resident shell have a secret, which no argument shows.
    const driver = await output("tr '\\0' '\\n' </proc/$PPID/cmdline | tail -n 1");
    expect(driver).toBe("term-run");
    const result = await sandbox.exec(
      `sleep 1000 & printf '\\0\\036x d 1 0 0 /\\0'; echo out; echo err >&2; exit 7`,
      options,
    );
    expect(result).toMatchObject({ exitCode: 7, timedOut: false });
    expect(result.output).toBe("\0\x1ex d 1 0 0 /\0out\nerr");
    const alive = await sandbox.listProcesses();
    expect(alive.filter(({ command }) => command === "sleep 1000")).toHaveLength(1);
  });

  it("kills what exec is still running when its time is up", async () => {
    sandbox = await openSandbox(kind);
    const result = await sandbox.exec("echo begun; sleep 1001", { ...options, timeoutMs: 1_000 });
    expect(result).toMatchObject({ exitCode: 124, timedOut: true });
    expect(result.output).toContain("begun\n[term-run: the command did not end within 1 s");
    const alive = await sandbox.listProcesses();
    expect(alive.filter(({ command }) => command === "sleep 1001")).toEqual([]);
  });

  it("ends every process, however it hides, and keeps the files", async () => {
    sandbox = await openSandbox(kind);
    const beat = `${sandbox.workdir}/beat`;
    const mark = `loop-${process.pid}-${kind.name.replace(/\W+/g, "-")}`;
    const loop = `: ${mark}; while :; do echo x >> ${beat}; sleep 0.05; done`;
    await run(`(setsid sh -c '${loop}' >/dev/null 2>&1 &)`);
    await run(`sh -c 'trap "" TERM HUP; ${loop}' >/dev/null 2>&1 &`);
    const count = async () => (await findProcesses(mark)).length;
    await until(async () => (await count()) === 2, { what: "both processes" });
    await run(`while [ ! -s ${beat} ]; do :; done`);
    await sandbox.endProcesses();
    expect(await count()).toBe(0);
    const kept = await sandbox.exec(`wc -c < ${beat}`, options);
    expect(Number(kept.output)).toBeGreaterThan(0);
  });

  it("starts despite a name that is too long for a host, with odd letters", async () => {
    const task = { ...makeTask(), name: `${"long-".repeat(30)}näme` };
    sandbox = await openSandbox(kind, task);
    expect(await output("echo fine")).toBe("fine");
  });

  it("aborts a command when the run is cancelled", async () => {
    sandbox = await openSandbox(kind);
    const controller = new AbortController();
    const running = sandbox.run("touch begun; sleep 1000", {
      timeoutMs: 60_000,
      signal: controller.signal,
    });
    const stopped = expect(running).rejects.toThrow("stop");
    const look = () => sandbox.exec("test -e begun", { ...options, cwd: sandbox.workdir });
    await until(async () => (await look()).exitCode === 0, { what: "the command's beginning" });
    controller.abort(new Error("stop"));
    await stopped;
  });

  it("can be closed twice, and then refuses work", async () => {
    sandbox = await openSandbox(kind);
    await sandbox.close();
    await sandbox.close();
    await expect(run("echo ghost")).rejects.toThrow();
  });
});

// In the local one it would be the machine's own processes.
it.each(APART)("a sandbox ($name) survives kill -9 -1", async (kind) => {
  const sandbox = await openSandbox(kind);
  try {
    await sandbox.run("echo kept > kept", options);
    await sandbox.run("kill -9 -1", options);
    expect((await sandbox.run("cat kept", options)).output).toBe("kept");
  } finally {
    await sandbox.close();
  }
});

import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Sandbox } from "../../src/interfaces/index.js";
import { KINDS, makeTask, openSandbox, watchdog } from "./kinds.js";

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

  it("gives nothing for a folder that is not there", async () => {
    sandbox = await openSandbox(kind);
    await sandbox.download("/no/such", join(host, "out"));
    expect(existsSync(join(host, "out/such"))).toBe(false);
  });

  it("starts with the task's files in the working directory, as the shell's own user's", async () => {
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

  it("ends every process, however it hid, and keeps the files", async () => {
    sandbox = await openSandbox(kind);
    const beat = `${sandbox.workdir}/beat`;
    const loop = `while :; do echo x >> ${beat}; sleep 0.05; done`;
    await run(`(setsid sh -c '${loop}' >/dev/null 2>&1 &) ; (trap "" TERM HUP; ${loop}) &`);
    await run(`while [ ! -s ${beat} ]; do :; done`);
    await sandbox.endProcesses();
    const before = await sandbox.exec(`wc -c < ${beat}; sleep 0.3; wc -c < ${beat}`, options);
    const [first, second] = before.output.trim().split(/\s+/);
    expect(Number(first)).toBeGreaterThan(0);
    expect(second).toBe(first);
  });

  it("lives on after kill -9 -1", async () => {
    if (kind.kind === "local") return; // There it would be the machine's own processes.
    sandbox = await openSandbox(kind);
    await run("echo kept > kept");
    await run("kill -9 -1");
    expect(await output("cat kept")).toBe("kept");
  });

  it("starts in spite of a name that is too long for a host, with odd letters", async () => {
    const task = { ...makeTask(), name: `${"long-".repeat(30)}näme` };
    sandbox = await openSandbox(kind, task);
    expect(await output("echo fine")).toBe("fine");
  });

  it("aborts a command when the run is cancelled", async () => {
    sandbox = await openSandbox(kind);
    const controller = new AbortController();
    const running = sandbox.run("echo begun; sleep 1000", {
      timeoutMs: 60_000,
      signal: controller.signal,
    });
    controller.abort(new Error("stop"));
    await expect(running).rejects.toThrow("stop");
  });

  it("closes twice without a word and then refuses work", async () => {
    sandbox = await openSandbox(kind);
    await sandbox.close();
    await sandbox.close();
    await expect(run("echo ghost")).rejects.toThrow();
  });
});

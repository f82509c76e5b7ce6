import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SandboxProcess } from "../../src/interfaces/index.js";
import { killQuietly } from "../../src/process/marked.js";
import { startProcess } from "../../src/sandbox/host/process.js";
import { MarkFeed } from "../../src/sandbox/shell/mark-feed.js";
import { ResidentShell } from "../../src/sandbox/shell/resident-shell.js";
import { KINDS, openSandbox } from "./kinds.js";

const LONG_MS = 600_000;

describe("an abort", () => {
  let dir = "";
  let controller: AbortController;
  let processes: SandboxProcess[];
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), "term-run-abort-"));
    controller = new AbortController();
    processes = [];
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  async function start([file = "", ...args]: string[]): Promise<SandboxProcess> {
    const env = { PATH: process.env.PATH ?? "" };
    const kill = (pid: number) => killQuietly(-pid, "SIGKILL");
    const started = await startProcess({ file, args, env, cwd: dir, kill });
    processes.push(started);
    return started;
  }

  function makeShell(spawn: (argv: string[]) => Promise<SandboxProcess>): ResidentShell {
    return new ResidentShell({ spawn, cwd: dir, outputLimitBytes: 1000 });
  }

  const stop = () => controller.abort(new Error("stop"));
  const options = () => ({ timeoutMs: LONG_MS, signal: controller.signal });

  it("that happened before rejects a later wait for a mark", async () => {
    stop();
    await expect(new MarkFeed().wait(() => true, options())).rejects.toThrow("stop");
  });

  it("while the driver starts keeps the command from running", async () => {
    const shell = makeShell(async (argv) => {
      const driver = await start(argv);
      stop();
      return driver;
    });
    await expect(shell.run("touch ran; sleep 1000", options())).rejects.toThrow("stop");
    await processes[0]?.exit;
    expect(existsSync(join(dir, "ran"))).toBe(false);
  });

  it("takes effect while a process never starts, and a late one is killed", async () => {
    let arrive = (_: SandboxProcess) => {};
    const shell = makeShell(
      () =>
        new Promise((resolve) => {
          arrive = resolve;
        }),
    );
    const running = shell.run("echo ghost", options());
    stop();
    await expect(running).rejects.toThrow("stop");
    const late = await start(["sleep", "1000"]);
    arrive(late);
    expect(await late.exit).toBe(137);
  });

  it("takes effect while the shell doesn't answer, and the driver is killed", async () => {
    const shell = makeShell(() => start(["/bin/sh", "-c", "echo up; exec sleep 1000"]));
    const running = shell.run("echo ghost", options());
    running.catch(() => {});
    await expect.poll(() => processes.length).toBe(1);
    stop();
    await expect(running).rejects.toThrow("stop");
    expect(await processes[0]?.exit).toBe(137);
  });

  it("leaves a shell that can be used again", async () => {
    let isFirst = true;
    const shell = makeShell((argv) => {
      const wanted = isFirst ? ["sleep", "1000"] : argv;
      if (isFirst) setImmediate(stop);
      isFirst = false;
      return start(wanted);
    });
    await expect(shell.run("echo ghost", options())).rejects.toThrow("stop");
    const { signal } = new AbortController();
    const result = await shell.run("echo back", { timeoutMs: LONG_MS, signal });
    shell.close();
    expect(result).toMatchObject({ output: "back", cwd: dir });
  });
});

describe.each(KINDS)("an abort while a sandbox is created ($name)", (kind) => {
  it("is what the creation fails with", async () => {
    const controller = new AbortController();
    controller.abort(new Error("stop"));
    await expect(openSandbox(kind, undefined, controller.signal)).rejects.toThrow("stop");
  });
});

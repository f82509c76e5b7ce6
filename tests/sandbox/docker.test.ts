import Docker from "dockerode";
import { afterEach, describe, expect, it } from "vitest";
import type { Sandbox } from "../../src/interfaces/index.js";
import { until } from "../support/until.js";
import { docker as hasDocker, type Kind, makeTask, openSandbox } from "./kinds.js";

const signal = new AbortController().signal;
const options = { timeoutMs: 30_000, signal };
const plain: Kind = { name: "docker", kind: "docker", image: "", bash: true };
const visitor: Kind = { ...plain, image: "term-run-test/entrypoint" };

describe.runIf(hasDocker)("the Docker sandbox", () => {
  const engine = new Docker();
  let sandbox: Sandbox;
  const output = async (command: string) => (await sandbox.run(command, options)).output;
  const container = () => engine.getContainer(sandbox.id);

  afterEach(() => sandbox?.close());

  it("starts despite an entrypoint that exits, as the image's user, in a folder that the user owns", async () => {
    sandbox = await openSandbox(visitor);
    expect(await output("id -un; touch mine && echo written; pwd")).toBe("visitor\nwritten\n/app");
    const root = await sandbox.exec("id -u", { ...options, user: "0" });
    expect(root.output).toBe("0");
  });

  it("ends the processes of an image's user, and root's", async () => {
    sandbox = await openSandbox(visitor);
    const lines = "for d in /proc/[0-9]*; do tr '\\0' ' ' <$d/cmdline; echo; done 2>/dev/null";
    const list = `${lines} | grep -c '^sleep 4321'`;
    const count = async () => Number((await sandbox.exec(list, { ...options, user: "0" })).output);
    await sandbox.run("sleep 4321 & sleep 4321 &", options);
    await sandbox.exec("setsid sleep 4321 >/dev/null 2>&1 &", { ...options, user: "0" });
    await until(async () => (await count()) === 3, { what: "three processes" });
    await sandbox.endProcesses();
    expect(await count()).toBe(0);
  });

  it("leaves no container and no anonymous volume", async () => {
    sandbox = await openSandbox(visitor);
    const { Mounts } = await container().inspect();
    expect(Mounts).toEqual([expect.objectContaining({ Type: "volume", Name: expect.any(String) })]);
    const volume = engine.getVolume(Mounts[0]?.Name ?? "");
    await volume.inspect();
    await sandbox.close();
    await expect(container().inspect()).rejects.toMatchObject({ statusCode: 404 });
    await expect(volume.inspect()).rejects.toMatchObject({ statusCode: 404 });
  });

  it("reports a dead container as an infrastructure error, during a command and before one", async () => {
    sandbox = await openSandbox(plain);
    const running = sandbox.run("touch begun; sleep 1000", options);
    const refused = expect(running).rejects.toMatchObject({
      code: "infra",
      message: expect.stringMatching(/^the container term-run-\S+ is no longer running/),
    });
    const look = () => sandbox.exec("test -e begun", { ...options, cwd: sandbox.workdir });
    await until(async () => (await look()).exitCode === 0, { what: "the command's beginning" });
    await container().kill();
    await refused;
    await expect(sandbox.run("echo ghost", options)).rejects.toMatchObject({ code: "infra" });
  });

  it("shuts the network off only where the task says so", async () => {
    const links = "cd /sys/class/net && echo *";
    sandbox = await openSandbox(plain, makeTask({ network: { mode: "none" } }));
    expect(await output(links)).toBe("lo");
    await sandbox.close();
    sandbox = await openSandbox(plain, makeTask({ network: { mode: "public" } }));
    expect(await output(links)).toContain("eth0");
  });

  it("has an ordinary container's privileges, or fewer where the task asks for it", async () => {
    const status = "grep -E '^(CapEff|NoNewPrivs|Seccomp):' /proc/self/status";
    sandbox = await openSandbox(plain);
    const usual = await output(status);
    const plainContainer = await engine.createContainer({
      Image: "debian:bookworm-slim",
      Cmd: ["sh", "-c", status],
      Tty: true,
    });
    try {
      await plainContainer.start();
      await plainContainer.wait();
      const shown = await plainContainer.logs({ stdout: true });
      expect(usual).toBe(shown.toString().replaceAll("\r", "").trimEnd());
    } finally {
      await plainContainer.remove({ force: true });
    }
    await sandbox.close();
    sandbox = await openSandbox(plain, makeTask({ hardened: true }));
    const hardened = await output(status);
    expect(hardened).toContain("NoNewPrivs:\t1");
    const capabilities = (text: string) => BigInt(`0x${/CapEff:\t(\w+)/.exec(text)?.[1]}`);
    const dropped = capabilities(usual) & ~capabilities(hardened);
    // By their numbers: SETPCAP, NET_RAW, MKNOD, AUDIT_WRITE.
    expect(dropped).toBe((1n << 8n) | (1n << 13n) | (1n << 27n) | (1n << 29n));
  });

  it("limits memory and processors as the task says", async () => {
    sandbox = await openSandbox(plain, makeTask({ memoryMb: 64, cpus: 0.5 }));
    const { HostConfig } = await container().inspect();
    expect(HostConfig).toMatchObject({
      Memory: 64 * 1024 * 1024,
      NanoCpus: 5e8,
      Privileged: false,
    });
    const eater = await sandbox.run(
      "(x=$(head -c 200000000 /dev/zero | tr '\\0' x); echo $x)",
      options,
    );
    expect(eater.exitCode).toBe(137);
    expect(await output("echo alive")).toBe("alive");
  });

  it("recovers when a command used up all processes", async () => {
    // With the lower of the limits, as tens of thousands of processes take long to start.
    sandbox = await openSandbox(plain, makeTask({ hardened: true }));
    // As many as a bomb would start, but asleep: other tests run beside this one.
    const bomb = "while (defined(my $pid = fork)) { $pid or sleep 1000 } print qq(used up\\n)";
    expect(await output(`perl -e '${bomb}'`)).toBe("used up");
    expect(await output("echo alive")).toBe("alive");
    // It can't even begin: the shell tries again and again.
    const stuck = await sandbox.run("sleep 1000", { timeoutMs: 500, signal });
    expect(stuck.timedOut).toBe(true);
    expect(await output("echo alive")).toBe("alive");
    await sandbox.endProcesses();
    const after = await sandbox.exec("echo alive", options);
    expect(after.output).toBe("alive");
  });
});

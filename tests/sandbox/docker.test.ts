import Docker from "dockerode";
import { afterEach, describe, expect, it } from "vitest";
import type { Sandbox } from "../../src/interfaces/index.js";
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

  it("starts in spite of an entrypoint that exits, as the image's user, in a folder of theirs", async () => {
    sandbox = await openSandbox(visitor);
    expect(await output("id -un; touch mine && echo written; pwd")).toBe("visitor\nwritten\n/app");
    const root = await sandbox.exec("id -u", { ...options, user: "0" });
    expect(root.output).toBe("0");
  });

  it("ends the processes of an image's user, and root's", async () => {
    sandbox = await openSandbox(visitor);
    await sandbox.run("sleep 4321 & sleep 4321 &", options);
    await sandbox.endProcesses();
    const left = await sandbox.exec("cat /proc/[0-9]*/cmdline | tr '\\0' ' '", options);
    expect(left.output).not.toContain("sleep 4321");
  });

  it("leaves no container and no anonymous volume", async () => {
    const volumes = async () => (await engine.listVolumes()).Volumes?.length ?? 0;
    const before = await volumes();
    sandbox = await openSandbox(visitor);
    expect(await volumes()).toBe(before + 1);
    await sandbox.close();
    await expect(container().inspect()).rejects.toMatchObject({ statusCode: 404 });
    expect(await volumes()).toBe(before);
  });

  it("reports a dead container as the machine's failure, in mid-command and before one", async () => {
    sandbox = await openSandbox(plain);
    const running = sandbox.run("sleep 1000", options);
    await container().kill();
    await expect(running).rejects.toMatchObject({
      code: "infra",
      message: expect.stringMatching(/^the container term-run-\S+ is gone/),
    });
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

  it("goes on when a command used up all processes", async () => {
    sandbox = await openSandbox(plain);
    // Few, and asleep: other tests run beside this one, and see the processes of the whole machine.
    await container().update({ PidsLimit: 64 });
    const bomb = "while :; do sleep 1000 & done";
    expect((await sandbox.run(bomb, { timeoutMs: 6000, signal })).timedOut).toBe(true);
    expect(await output("echo alive")).toBe("alive");
    await sandbox.endProcesses();
    const after = await sandbox.exec("echo alive", options);
    expect(after.output).toBe("alive");
  });
});

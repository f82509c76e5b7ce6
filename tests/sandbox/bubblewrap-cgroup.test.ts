import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Sandbox } from "../../src/interfaces/index.js";
import { Cgroup } from "../../src/sandbox/bubblewrap/cgroup/cgroup.js";
import { readHierarchies } from "../../src/sandbox/bubblewrap/cgroup/hierarchies.js";
import { findHomes, missingControllers } from "../../src/sandbox/bubblewrap/cgroup/homes.js";
import { until } from "../support/until.js";
import { BUBBLEWRAP, openBubblewrap, options } from "./bubblewrap.js";
import { inNamespace, innerPid, namespaceOf, processesIn } from "./host-processes.js";
import { watchdog } from "./kinds.js";

afterAll(() => watchdog.dismiss());

const MEMORY_MB = 128;
const canLimit = BUBBLEWRAP !== undefined && missingControllers(findHomes()).length === 0;

describe("the hierarchies of cgroups", () => {
  const unified = "26 25 0:23 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate";

  it("are those of version 1 that the caller's cgroup can be seen in", () => {
    const mounts = [
      "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct",
      "35 31 0:32 /docker/ab /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory",
      "39 31 0:36 /docker/cd /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids",
      "23 1 0:21 / /proc rw - proc proc rw",
    ].join("\n");
    const cgroups =
      "4:cpu,cpuacct:/a\n5:memory:/docker/ab/run\n6:pids:/docker/other\n1:name=systemd:/x\n";
    expect(readHierarchies({ mounts, cgroups })).toEqual([
      {
        version: 1,
        controllers: ["cpu", "cpuacct"],
        top: "/sys/fs/cgroup/cpu,cpuacct",
        own: "/sys/fs/cgroup/cpu,cpuacct/a",
      },
      {
        version: 1,
        controllers: ["memory"],
        top: "/sys/fs/cgroup/memory",
        own: "/sys/fs/cgroup/memory/run",
      },
    ]);
  });

  it("is the one of version 2", () => {
    const [only, ...others] = readHierarchies({
      mounts: unified,
      cgroups: "0::/user.slice/a.scope\n",
    });
    expect(others).toEqual([]);
    expect(only).toMatchObject({ version: 2, own: "/sys/fs/cgroup/user.slice/a.scope" });
    expect(readHierarchies({ mounts: unified, cgroups: "0::/../outside\n" })).toEqual([]);
  });
});

describe.runIf(canLimit)("a sandbox with limits", () => {
  let sandbox: Sandbox;
  const run = (command: string) => sandbox.run(command, options);
  const output = async (command: string) => (await run(command)).output;
  const cgroupOf = async (controller: string) => {
    const lines = (await output("cat /proc/self/cgroup")).split("\n");
    const path = lines.find(
      (line) => line.includes(`:${controller}:`) || line.startsWith("0::/term"),
    );
    const { top } = readHierarchies().find((one) => one.controllers.includes(controller)) ?? {
      top: "",
    };
    return join(top, path?.split(":")[2] ?? "");
  };
  beforeEach(async () => {
    sandbox = await openBubblewrap({ memoryMb: MEMORY_MB, cpus: 1 });
  });
  afterEach(() => sandbox?.close());

  it("has each of its processes in them, and none afterwards", async () => {
    const memory = await cgroupOf("memory");
    const pids = dirname(await cgroupOf("pids"));
    await run("sleep 1000 & setsid sleep 1001 &");
    await sandbox.spawn(["sleep", "1002"]);
    const sleeping = async () =>
      (await sandbox.listProcesses()).filter(({ command }) => command.startsWith("sleep 100"));
    await until(async () => (await sleeping()).length === 3, { what: "the processes" });
    const counted = readdirSync(pids).flatMap((name) => processesIn(join(pids, name)));
    expect(new Set(counted)).toEqual(new Set(processesIn(memory)));
    const first = counted.find((pid) => innerPid(pid) === 1) as number;
    const inside = inNamespace(namespaceOf(first) as string);
    expect(inside.length).toBeGreaterThan(4);
    expect(counted).toEqual(expect.arrayContaining(inside));
    await sandbox.close();
    expect([memory, pids].filter(existsSync)).toEqual([]);
  });

  it("ends what takes too much memory, as in a container, and goes on", async () => {
    const sibling = await openBubblewrap({ memoryMb: MEMORY_MB });
    try {
      await sibling.run("x=kept", options);
      const hog = `python3 -c 'x = bytearray(${4 * MEMORY_MB} << 20); print(len(x))'`;
      expect(await run(hog)).toMatchObject({ exitCode: 137, timedOut: false });
      expect(await output("echo alive")).toBe("alive");
      // Not even with many of them the first process, nor the shell beside it.
      await run(`for i in 1 2 3 4; do ${hog} & done; wait`);
      expect(await output("echo alive")).toBe("alive");
      expect((await sibling.run("echo $x", options)).output).toBe("kept");
    } finally {
      await sibling.close();
    }
  });

  it("says of a first process that is gone why that is", async () => {
    const first = processesIn(await cgroupOf("memory")).find((pid) => innerPid(pid) === 1);
    process.kill(first as number, "SIGKILL");
    await until(() => !existsSync(`/proc/${first}`), { what: "its end" });
    await expect(sandbox.exec("true", options)).rejects.toThrow(
      `the sandbox ${sandbox.id} is no longer running: it was ended from outside`,
    );
  });

  it("has as many processes as a container may have, and the verifier room for its own", async () => {
    const pids = await cgroupOf("pids");
    expect(readFileSync(join(pids, "pids.max"), "utf8")).toBe("16384\n");
    // Fewer, to spare the machine that the tests run on.
    writeFileSync(join(pids, "pids.max"), "60");
    const bomb = "b() { b | b & }; b; for i in $(seq 100); do sleep 1003 & done";
    await run(`(${bomb}) >/dev/null 2>&1; : $(seq 1)`);
    const peak = await sandbox.listProcesses();
    expect(peak.length).toBeLessThan(70);
    await sandbox.recreate([{ path: "/logs/verifier", mode: 0o777 }]);
    expect(await sandbox.execFile(["sh", "-c", "echo verified | cat"], options)).toMatchObject({
      output: "verified",
      exitCode: 0,
    });
    await sandbox.endProcesses([]);
    expect(processesIn(pids)).toEqual([]);
    expect(await output("echo again | cat")).toBe("again");
  });

  it("gets no more processor time than it may have", async () => {
    const cpu = await cgroupOf("cpu");
    const files = existsSync(join(cpu, "cpu.max"))
      ? ["cpu.max"]
      : ["cpu.cfs_quota_us", "cpu.cfs_period_us"];
    expect(files.map((file) => readFileSync(join(cpu, file), "utf8").trim()).join(" ")).toBe(
      "100000 100000",
    );
  });
});

describe.runIf(canLimit)("a cgroup", () => {
  it("is removed with its processes by the watchdog, too", async () => {
    const cgroup = new Cgroup(findHomes(), { cpus: null, memoryMb: null });
    const script = fileURLToPath(new URL("../../src/process/watchdog.sh", import.meta.url));
    const sleeper = spawn("sleep", ["1004"], { stdio: "ignore" });
    const ended = new Promise((resolve) => sleeper.once("exit", (_, signal) => resolve(signal)));
    try {
      cgroup.make();
      const [entrance = ""] = cgroup.entrances("rest");
      writeFileSync(entrance, String(sleeper.pid));
      await execa("/bin/sh", [script], { input: `+run ${cgroup.name} ${cgroup.removal}\n` });
      expect(await ended).toBe("SIGKILL");
      expect(cgroup.entrances("rest").filter(existsSync)).toEqual([]);
    } finally {
      sleeper.kill("SIGKILL");
      await cgroup.remove();
    }
  });
});

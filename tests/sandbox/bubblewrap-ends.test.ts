import { existsSync, mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Sandbox } from "../../src/interfaces/index.js";
import { readHierarchies } from "../../src/sandbox/bubblewrap/cgroup/hierarchies.js";
import { Machine } from "../../src/sandbox/bubblewrap/machine.js";
import { findPrograms } from "../../src/sandbox/bubblewrap/probe.js";
import { makeTools, toolsIn } from "../../src/sandbox/bubblewrap/tools.js";
import { makeScratchFolder, removeScratchFolder } from "../../src/sandbox/folder.js";
import { until } from "../support/until.js";
import {
  BUBBLEWRAP,
  isRoot,
  openBubblewrap,
  options,
  STARTED_BY,
  startApart,
} from "./bubblewrap.js";
import { inNamespace, innerPid } from "./host-processes.js";
import { watchdog } from "./kinds.js";

afterAll(() => watchdog.dismiss());

const FREEZER = "/sys/fs/cgroup/freezer";
const LOOP = "while :; do ln -f one reward; echo 1 >two; mv -f two reward; done";
const LOOPS = `echo 1 >one; for i in $(seq 40); do setsid sh -c 'trap "" HUP TERM; ${LOOP}' >/dev/null 2>&1 & done`;
const NAMESPACE = "readlink /proc/self/ns/pid";

describe.runIf(BUBBLEWRAP)("the end of a sandbox's processes", () => {
  let sandbox: Sandbox;
  const output = async (command: string) => (await sandbox.run(command, options)).output;
  beforeEach(async () => {
    sandbox = await openBubblewrap();
  });
  afterEach(() => sandbox?.close());

  it("is awaited: no loop that writes a reward is left on the host", async () => {
    const namespace = await output(`${LOOPS}; ${NAMESPACE}`);
    const isWritten = async () => (await output("[ -e reward ] && echo yes")) === "yes";
    await until(isWritten, { what: "the loops' beginning" });
    expect(inNamespace(namespace).length).toBeGreaterThan(40);
    await sandbox.endProcesses();
    expect(inNamespace(namespace)).toEqual([]);
    expect(await output("rm -f reward; sync; [ -e reward ] || echo gone")).toBe("gone");
  });

  it("comes whatever is done to the first process", async () => {
    const attacks = [
      "gdb -p 1 -batch -ex 'call (int) prctl(1, 0)' 2>&1 | grep -c 'not permitted'",
      "strace -p 1 2>&1 | grep -c 'not permitted'",
      "(echo >/proc/1/mem) 2>&1 | grep -c 'ermission denied'",
      "cat /proc/1/environ /proc/1/maps 2>&1 | grep -c 'ermission denied'",
      "(cat /proc/1/fd/0; ls /proc/1/root/) 2>&1 | grep -c 'ermission denied'",
      "kill -9 1; kill -STOP 1; kill -TERM 1; kill -0 1 && echo 1",
    ];
    const namespace = await output(NAMESPACE);
    const outputs: string[] = [];
    for (const attack of attacks) outputs.push(await output(attack));
    expect(outputs).toEqual(["1", "1", "1", "2", "2", "1"]);
    await sandbox.endProcesses();
    expect(inNamespace(namespace)).toEqual([]);
  });

  it("comes for processes that are stopped, traced, or wait for a child of vfork", async () => {
    const vfork = "import ctypes; libc = ctypes.CDLL(None); libc.vfork() or libc.sleep(1000)";
    const namespace = await output(
      `sleep 1005 & kill -STOP $!; strace -o /dev/null sleep 1006 & python3 -c '${vfork}' & ${NAMESPACE}`,
    );
    const inVfork = async () =>
      (await output("grep -l '^State:.*D (disk' /proc/[0-9]*/status")) !== "";
    await until(inVfork, { what: "a process that can't be interrupted" });
    await sandbox.endProcesses();
    expect(inNamespace(namespace)).toEqual([]);
  });
});

describe.runIf(BUBBLEWRAP).each(STARTED_BY)("SIGKILL of term-run, started by %s", (who) => {
  it("leaves no process, cgroup or folder of a sandbox", async () => {
    const { said, kill, remove } = await startApart(who, "held", [
      `${LOOPS}; ${NAMESPACE}; sed 's/^[^:]*:[^:]*://' /proc/self/cgroup | grep -o 'term-run-[0-9a-f]*' | sort -u`,
    ]);
    try {
      const { folder, output } = JSON.parse(await said) as { folder: string; output: string };
      const [namespace = "", cgroup] = output.split("\n");
      const cgroups = readHierarchies().map(({ own, version }) =>
        join(own, version === 2 ? ".." : "", cgroup ?? "none"),
      );
      expect(inNamespace(namespace).length).toBeGreaterThan(40);
      expect(existsSync(folder)).toBe(true);
      kill();
      const left = () => [folder, `${folder}.tools`, ...cgroups].filter(existsSync);
      await until(() => inNamespace(namespace).length === 0, { what: "the processes' end" });
      await until(() => left().length === 0, { what: "the removal" });
    } finally {
      await remove();
    }
  });
});

describe.runIf(BUBBLEWRAP && isRoot && existsSync(FREEZER))(
  "a first process that can't be ended",
  () => {
    it("is said to be so within the deadline", async () => {
      const programs = await findPrograms();
      if ("reason" in programs) throw new Error(programs.reason);
      const root = await makeScratchFolder("test", watchdog);
      const tools = toolsIn(`${root}.tools`);
      const frozen = join(FREEZER, `term-run-test-${process.pid}`);
      const state = join(frozen, "freezer.state");
      mkdirSync(frozen);
      try {
        await makeTools(`${root}.tools`, tools);
        mkdirSync(join(root, "dev/shm"), { recursive: true });
        const view = { root, init: tools.init, cwd: "/", env: {} };
        const machine = await Machine.start({
          ...{ ...programs, filter: tools.filter, uid: null, entrances: [], view, watchdog },
        });
        expect(innerPid(machine.pid)).toBe(1);
        writeFileSync(join(frozen, "cgroup.procs"), String(machine.pid));
        writeFileSync(state, "FROZEN");
        await expect(machine.end(500)).rejects.toThrow("first process didn't end within 0.5 s");
        expect(machine.isAlive).toBe(true);
        writeFileSync(state, "THAWED");
        await machine.end();
        expect(machine.isAlive).toBe(false);
      } finally {
        if (existsSync(state)) writeFileSync(state, "THAWED");
        rmdirSync(frozen);
        await removeScratchFolder(root);
        await removeScratchFolder(`${root}.tools`);
      }
    });
  },
);

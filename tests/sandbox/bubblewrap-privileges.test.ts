import { execFile } from "node:child_process";
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { BUBBLEWRAP, isRoot, openBubblewrap, options, runAs, STARTED_BY } from "./bubblewrap.js";
import { watchdog } from "./kinds.js";

afterAll(() => watchdog.dismiss());

describe.runIf(BUBBLEWRAP).each(STARTED_BY)("in a sandbox of %s", (who) => {
  const output = async (command: string) => (await runAs(who, [command]))[0]?.output;

  it("a process is a user that is not root outside, without capabilities", async () => {
    const [caps, map] = await runAs(who, [
      "cat /proc/[0-9]*/status | grep -E '^Cap(Inh|Prm|Eff|Amb):' | grep -v 0000000000000000",
      "cat /proc/self/uid_map",
    ]);
    expect(caps?.output).toBe("");
    const [inside, outside, count] = (map?.output ?? "").trim().split(/\s+/).map(Number);
    expect([inside, count]).toEqual([0, 1]);
    expect(outside).toBeGreaterThan(0);
  });

  it("what it sees of the host can't be made writable", async () => {
    const [remount, write] = await runAs(who, [
      "mount -o remount,bind,rw /usr; echo $?",
      "touch /usr/x /bin/x /lib/x /etc/ssl/certs/x 2>&1 | grep -c 'Read-only file system'",
    ]);
    expect(remount?.output).toMatch(/\n32$/);
    expect(write?.output).toBe("4");
  });

  it("the kernel's settings can be read but not written", async () => {
    const before = readFileSync("/proc/sys/kernel/core_pattern", "utf8");
    const write = (file: string) => `(echo 1 >/proc/${file}) 2>&1 | grep -o 'Read-only.*'`;
    const files = [
      "sys/kernel/core_pattern",
      "sys/net/ipv4/ip_forward",
      "sys/vm/overcommit_memory",
    ];
    expect(await output(files.map(write).join("; "))).toBe(
      files.map(() => "Read-only file system").join("\n"),
    );
    expect(readFileSync("/proc/sys/kernel/core_pattern", "utf8")).toBe(before);
    expect(await output("cat /proc/sys/kernel/hostname")).toBe("term-run");
    expect(await output("ls /proc/sys/net/ipv4/conf | xargs")).toBe("all default lo");
  });

  it("what Docker hides of /proc is hidden, what it makes read-only is read-only", async () => {
    const hidden =
      "acpi asound interrupts kcore keys latency_stats sched_debug scsi timer_list timer_stats";
    const looks = `for n in ${hidden}; do [ ! -e /proc/$n ] || find /proc/$n -type f; cat /proc/$n; done 2>/dev/null`;
    expect(await output(looks)).toBe("");
    const mounts = `grep -cE '^proc /proc/(bus|fs|irq|sys|sysrq-trigger) proc ro,' /proc/mounts; ls -d /proc/{bus,fs,irq,sys,sysrq-trigger} 2>/dev/null | wc -l`;
    const [mounted, there] = ((await output(mounts)) ?? "").split("\n");
    expect(mounted).toBe(there);
  });
});

describe.runIf(BUBBLEWRAP && isRoot)("a sandbox of root", () => {
  it("starts where term-run is installed in a folder that is closed to others", async () => {
    const home = mkdtempSync(join(tmpdir(), "closed-"));
    try {
      chmodSync(home, 0o700);
      const root = fileURLToPath(new URL("../../", import.meta.url));
      for (const name of ["src", "tests", "package.json", "tsconfig.json"])
        cpSync(join(root, name), join(home, name), { recursive: true });
      symlinkSync(join(root, "node_modules"), join(home, "node_modules"));
      const program = join(home, "tests/sandbox/programs/commands.ts");
      const args = ["--import", "tsx", program, "echo started"];
      const { stdout } = await promisify(execFile)("node", args, { cwd: home });
      expect(JSON.parse(stdout)).toEqual([{ output: "started", exitCode: 0 }]);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });
});

describe.runIf(BUBBLEWRAP)("a kept sandbox", () => {
  it("is entered with the filter and without capabilities, too", async () => {
    const sandbox = await openBubblewrap();
    await sandbox.run("true", options);
    const { enter, remove } = await sandbox.keep();
    await sandbox.close();
    const shell = promisify(execFile);
    try {
      const line = enter.replace(
        "/bin/sh -i +m",
        "/bin/grep -E '^(Seccomp|CapEff):' /proc/self/status",
      );
      const { stdout } = await shell("/bin/sh", ["-c", line]);
      expect(stdout).toBe("CapEff:\t0000000000000000\nSeccomp:\t2\n");
    } finally {
      await shell("/bin/sh", ["-c", remove]);
    }
  });
});

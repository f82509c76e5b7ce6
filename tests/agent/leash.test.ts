import { spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { execa } from "execa";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AgentProcess } from "../../src/agent/command/process.js";
import { resolveAgent } from "../../src/agent/command/resolve.js";
import type { Leash } from "../../src/leash/index.js";
import { hasBubblewrap, leashHiding } from "../support/leashes.js";
import { environmentFor } from "./bench.js";
import { isAlive, processesIn, until, useBench } from "./support.js";

const bench = useBench();
const isRoot = process.getuid?.() === 0;
/** Outside of temp folders, as the files of a user are. */
let home = "";

beforeEach(() => {
  home = mkdtempSync(join(homedir(), ".term-run-test-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function put(path: string, text: string): string {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text);
  return join(home, path);
}

interface Started {
  leash?: Leash | null;
  cwd?: string;
  env?: NodeJS.ProcessEnv;
}

function start(spec: string, { leash = leashHiding(), cwd = bench.dir, env = {} }: Started = {}) {
  const agent = new AgentProcess({
    command: resolveAgent(spec, cwd),
    env: environmentFor(env).env,
    leash,
    watchdog: bench.watchdog,
  });
  bench.releases.push(() => agent.end({ gentle: false }));
  return agent;
}

const LAST = "the script's last line";

/** All that a script prints; it must get to its end. What it attacks is always the test's own. */
async function said(script: string, options: Started = {}): Promise<string> {
  const agent = start(bench.write("agent.sh", `exec >&2\n${script}\necho "${LAST}"\n`), options);
  expect(await agent.exit).toEqual({ exitCode: 0, signal: null, problem: null });
  await agent.end({ gentle: true });
  expect(agent.stderr).toContain(LAST);
  return agent.stderr;
}

describe.skipIf(!hasBubblewrap)("an agent on a leash", () => {
  it("sees nothing of what is hidden, and can't change it", async () => {
    const test = put("tasks/one/tests/test.sh", "secret");
    const leash = leashHiding(join(home, "tasks/one"), put("kube", "secret"));
    const text = await said(
      `cat ${test} ${home}/kube; ls -A ${home}/tasks/one
echo forged > ${home}/tasks/one/result.json; rm -r ${home}/tasks/one; mv ${home}/tasks ${home}/moved; mv ${home} ${home}2
mount -t tmpfs none ${home}; umount ${home}/tasks/one; unshare -Urm umount ${home}/tasks/one; cat ${test}
cat /proc/1/root${test} /proc/1/cwd${test}`,
      { leash },
    );
    expect(text).not.toMatch(/^secret/m);
    expect(readFileSync(test, "utf8")).toBe("secret");
    expect(existsSync(`${home}2`)).toBe(false);
    expect(existsSync(join(home, "moved"))).toBe(false);
  });

  it("sees its own folder, even inside of one that is hidden", async () => {
    put("tasks/one/tests/test.sh", "secret");
    put("tasks/one/agent/lib.sh", "echo from the library");
    const file = put(
      "tasks/one/agent/agent.sh",
      `. ${home}/tasks/one/agent/lib.sh >&2\ncat ${home}/tasks/one/tests/* >&2`,
    );
    const agent = start(file, { leash: leashHiding(join(home, "tasks/one")) });
    await agent.exit;
    await agent.end({ gentle: true });
    expect(agent.stderr).toContain("from the library");
    expect(agent.stderr).not.toContain("secret");
  });

  it("is itself visible where its folder is hidden, through a link as well", async () => {
    put("one/secret.sh", "secret");
    const file = put("one/agent.sh", `echo here >&2; cat ${home}/one/secret.sh >&2`);
    symlinkSync(file, join(home, "link.sh"));
    for (const spec of [file, join(home, "link.sh")]) {
      const agent = start(spec, { leash: leashHiding(join(home, "one")), cwd: home });
      await agent.exit;
      await agent.end({ gentle: true });
      expect(agent.stderr).toContain("here");
      expect(agent.stderr).not.toMatch(/^secret/m);
    }
  });

  it("starts in its folder, with its environment, and nothing of the runner's", async () => {
    const show = "pwd; env | sort | grep -v '^TERM_RUN_OWNER=\\|^_='; id; umask";
    const env = { PWD: "/somewhere", LONG: "a b\nc" };
    const plain = await said(show, { leash: null, env });
    expect(await said(show, { env })).toBe(plain);
    const around = await said(
      "tr '\\0' '\\n' </proc/$PPID/environ; for p in /proc/[0-9]*; do tr '\\0' '\\n' <$p/environ; done",
      {
        env: { SEEN: "yes" },
      },
    );
    expect(around).toContain("SEEN=yes");
    expect(around).not.toContain("VITEST");
  });

  it("sees no other process, and can't signal or trace any", async () => {
    const victim = spawn("sleep", ["300"], { stdio: "ignore" });
    try {
      const text = await said(
        `for p in /proc/[0-9]*; do tr '\\0' ' ' <$p/cmdline; echo; done
kill -9 ${victim.pid}; ls -d /proc/${victim.pid}
( : 3<>/proc/1/mem ) && echo opened`,
      );
      expect(text).not.toMatch(/vitest|sleep|opened/);
      expect(text).toMatch(/No such process/);
      expect(isAlive(victim.pid as number)).toBe(true);
    } finally {
      victim.kill("SIGKILL");
    }
  });

  it("can't reach programs outside through their sockets", async () => {
    const sockets = [join(home, "docker.sock"), join(tmpdir(), `tmux-${process.pid}.sock`)];
    const servers = sockets.map((path) => createServer(() => {}).listen(path));
    try {
      await until(() => sockets.every((path) => existsSync(path)));
      const connect = sockets.map((path) => `try('${path}')`).join("; ");
      const text = await said(`python3 -c "
import socket, glob
def try_(path):
  try: socket.socket(socket.AF_UNIX).connect(path); print('connected', path)
  except OSError as error: print(error)
${connect.replaceAll("try(", "try_(")}
"; ls -A /run/dbus /run/docker.sock ~/.docker`);
      expect(text).not.toContain("connected");
    } finally {
      for (const server of servers) server.close();
    }
  });

  it("has a temp folder of its own", async () => {
    const file = join(tmpdir(), `of-the-host-${process.pid}`);
    writeFileSync(file, "secret");
    try {
      const text = await said(
        `cat ${file}; echo mine > ${file} && cat ${file}; mktemp; ls -A /tmp`,
      );
      expect(text).toMatch(/No such file[\s\S]*mine\n\/tmp\/tmp/);
      expect(readFileSync(file, "utf8")).toBe("secret");
    } finally {
      rmSync(file);
    }
  });

  it("keeps the tools that its variables name, though they are in a temp folder", async () => {
    const tools = mkdtempSync(join(tmpdir(), "tools-"));
    try {
      mkdirSync(join(tools, "venv/bin"), { recursive: true });
      writeFileSync(join(tools, "venv/lib"), "of the tool");
      const env = { VIRTUAL_ENV: join(tools, "venv") };
      expect(await said(`cat ${tools}/venv/lib`, { env })).toContain("of the tool");
      expect(await said(`cat ${tools}/venv/lib`)).not.toContain("of the tool");
    } finally {
      rmSync(tools, { recursive: true });
    }
  });

  it("runs in a virtual environment in a temp folder, or through a link there", async () => {
    const tools = mkdtempSync(join(tmpdir(), "tools-"));
    const link = join(tmpdir(), `link-${process.pid}.sh`);
    try {
      await execa("python3", ["-m", "venv", "--without-pip", join(tools, "venv")]);
      const script = bench.write("in-venv.py", "import sys; sys.stderr.write(sys.prefix)");
      symlinkSync(bench.write("linked.sh", "echo linked >&2"), link);
      for (const [spec, shown] of [
        [`${tools}/venv/bin/python ${script}`, join(tools, "venv")],
        [link, "linked"],
      ] as const) {
        const agent = start(spec, { cwd: home });
        expect(await agent.exit).toMatchObject({ exitCode: 0, problem: null });
        await agent.end({ gentle: true });
        expect(agent.stderr).toBe(shown);
      }
    } finally {
      rmSync(tools, { recursive: true, force: true });
      rmSync(link, { force: true });
    }
  });

  it("writes to its own places as before", async () => {
    await said(
      `echo 1 > ${bench.dir}/a; echo 2 > ${home}/b; mkdir -p ~/.cache && test -w ~/.cache && echo ok > ${home}/c`,
    );
    expect(bench.read("a")).toBe("1\n");
    expect(readFileSync(join(home, "b"), "utf8")).toBe("2\n");
    expect(readFileSync(join(home, "c"), "utf8")).toBe("ok\n");
  });

  it("can't change what runs outside: the system, the kernel's settings, term-run, Node.js", async () => {
    const code = new URL("../../src/leash/", import.meta.url).pathname;
    const places = [
      "/etc",
      "/usr/bin",
      "/proc/sys/kernel/core_pattern",
      "/sys/kernel",
      code,
      process.execPath,
    ];
    const text = await said(
      places.map((path) => `test -w ${path} && echo writable ${path}`).join("; "),
    );
    expect(text).not.toContain("writable");
  });

  it.skipIf(!isRoot)("has none of root's means to undo it", async () => {
    const text = await said(
      "grep -E 'Cap(Eff|Prm|Bnd)|NoNewPrivs' /proc/self/status; cat /dev/vda | head -c 1; ls /dev",
    );
    // CAP_SYS_ADMIN, CAP_SYS_PTRACE, CAP_DAC_READ_SEARCH, CAP_MKNOD, CAP_SYS_RAWIO, CAP_SYS_MODULE
    const forbidden = [21, 19, 2, 27, 17, 16].reduce((mask, bit) => mask | (1n << BigInt(bit)), 0n);
    for (const set of ["Eff", "Prm"]) {
      const value = BigInt(`0x${new RegExp(`Cap${set}:\\s*(\\w+)`).exec(text)?.[1]}`);
      expect(value & forbidden).toBe(0n);
    }
    expect(text).toMatch(/NoNewPrivs:\s*1/);
    expect(text).not.toMatch(/^(vda|mem|loop0|kmsg)$/m);
  });

  it("leaves nothing that changes a file later, whatever it does to its environment", async () => {
    const agent = start(
      bench.write(
        "agent.sh",
        `cd ${bench.dir}
for n in 1 2 3; do env -i setsid sh -c '(trap "" TERM HUP INT; while :; do echo forged >> result.json; done) &' & done
python3 -c "import os
if os.fork() == 0:
  os.setsid()
  if os.fork() == 0: os.execve('/bin/sh', ['sh', '-c', 'while :; do echo forged >> result.json; done'], {})" &
read -r line`,
      ),
    );
    await until(
      () => bench.read("result.json").startsWith("forged") && processesIn(bench.dir).length > 4,
    );
    await agent.end({ gentle: true });
    // Its processes have ended when this returns: nothing has to be waited for.
    expect(processesIn(bench.dir)).toEqual([]);
    writeFileSync(join(bench.dir, "result.json"), "true");
    await new Promise((resolve) => setImmediate(resolve));
    expect(bench.read("result.json")).toBe("true");
  });

  it("ends with its sandbox when bubblewrap's own process is killed", async () => {
    const agent = start(
      bench.write("agent.sh", `cd ${bench.dir}; (env -i setsid sleep 300 &) ; exec sleep 301`),
    );
    const pid = await agent.started;
    await until(() => processesIn(bench.dir).length >= 2);
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const first = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    const parent = readFileSync(`/proc/${first}/stat`, "utf8");
    process.kill(Number(parent.slice(parent.lastIndexOf(")") + 2).split(" ")[1]), "SIGKILL");
    await until(() => processesIn(bench.dir).length === 0);
  });

  it("is reported when it can't start", async () => {
    const leash = {
      bwrap: bench.write("bwrap", "#!/bin/sh\necho 'bwrap: no luck' >&2; exit 1\n"),
      hidden: [],
    };
    chmodSync(leash.bwrap, 0o755);
    const agent = start(bench.write("agent.sh", "read -r line"), { leash });
    expect(await agent.exit).toMatchObject({ problem: "bwrap: no luck" });
    expect(await agent.started).toBeNull();
  });
});

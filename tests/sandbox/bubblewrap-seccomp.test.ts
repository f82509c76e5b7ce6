import { afterAll, describe, expect, it } from "vitest";
import { callsOf } from "../../src/sandbox/bubblewrap/seccomp/calls.js";
import { seccompFilter } from "../../src/sandbox/bubblewrap/seccomp/filter.js";
import { decide } from "./bpf-machine.js";
import { BUBBLEWRAP, runAs, STARTED_BY } from "./bubblewrap.js";
import { watchdog } from "./kinds.js";

afterAll(() => watchdog.dismiss());

const ARCHITECTURES = { x64: 0xc000003e, arm64: 0xc00000b7 };
const I386 = 0x40000003;
const X32 = 0x40000000;
const MATTERS = "mount umount2 unshare setns keyctl add_key bpf perf_event_open userfaultfd".split(
  " ",
);

describe.each(["x64", "arm64"] as const)("the filter for %s", (architecture) => {
  const calls = callsOf(architecture);
  const filter = seccompFilter(architecture);
  const on = (name: string, ...args: number[]) =>
    decide(filter, {
      architecture: ARCHITECTURES[architecture],
      call: calls.get(name) ?? -1,
      args,
    });

  it("decides on every call of the table, and on all others", () => {
    const verdicts = [...calls.keys()].map((name) => [name, on(name)] as const);
    const refused = verdicts.filter(([, verdict]) => verdict === "EPERM").map(([name]) => name);
    expect(refused).toEqual(expect.arrayContaining(MATTERS));
    expect(refused).toMatchSnapshot();
    expect(verdicts.filter(([, verdict]) => verdict === "ENOSYS")).toEqual([["clone3", "ENOSYS"]]);
    const known = new Set(calls.values());
    const others = Array.from({ length: 2000 }, (_, call) => call).filter(
      (call) => !known.has(call),
    );
    for (const call of [...others, X32, X32 + 1, 0xffffffff])
      expect(decide(filter, { architecture: ARCHITECTURES[architecture], call, args: [] })).toBe(
        "ENOSYS",
      );
  });

  it("looks at arguments where only some values are allowed", () => {
    const [fork, thread, newUser, newNet] = [17, 0x3d0f00, 0x10000011, 0x40000011];
    expect([fork, thread, newUser, newNet].map((flags) => on("clone", flags))).toEqual([
      ...["allow", "allow"],
      ...["EPERM", "EPERM"],
    ]);
    const [inet, alg, vsock] = [2, 38, 40];
    expect([inet, alg, vsock].map((family) => on("socket", family))).toEqual([
      "allow",
      "EPERM",
      "EPERM",
    ]);
    const [isTerminal, putsKeys] = [0x5401, 0x5412];
    expect([isTerminal, putsKeys].map((what) => on("ioctl", 0, what))).toEqual(["allow", "EPERM"]);
    expect([0, 8, 0xffffffff, 0x40000].map((persona) => on("personality", persona))).toEqual([
      ...["allow", "allow", "allow"],
      "EPERM",
    ]);
  });

  it("knows nothing of other architectures", () => {
    for (const call of calls.values())
      expect(decide(filter, { architecture: I386, call, args: [] })).toBe("ENOSYS");
  });
});

const EPERM = 1;
const ENOSYS = 38;

/** Makes a system call by its number, and prints the error's. */
function calling(name: string | number, ...args: number[]): string {
  const call = typeof name === "number" ? name : callsOf(process.arch as "x64").get(name);
  const words = [call, ...args].map((word) => `ctypes.c_long(${word})`);
  return `python3 -c 'import ctypes; libc = ctypes.CDLL(None, use_errno=True); print(libc.syscall(${words}), ctypes.get_errno())'`;
}

describe.runIf(BUBBLEWRAP).each(STARTED_BY)("in a sandbox of %s", (who) => {
  it("system calls are refused as in a container, and unknown ones unknown", async () => {
    const newUser = 0x10000000;
    const refused: [string, ...number[]][] = [
      ["unshare", newUser],
      ["clone", newUser | 17],
      ["mount", 0, 0, 0, 0, 0],
      ["setns", 0, 0],
      ["keyctl", 0, -3, 0],
      ["add_key", 0, 0, 0, 0, 0],
      ["bpf", 0, 0, 0],
      ["perf_event_open", 0, 0, -1, -1, 0],
      ["userfaultfd", 1],
      ["io_uring_setup", 1, 0],
      ["open_by_handle_at", -1, 0, 0],
      ["pidfd_getfd", 0, 0, 0],
      ["fsopen", 0, 0],
      ["socket", 40, 1, 0],
    ];
    const unknown = [calling("clone3", 0, 0), calling(1000), calling(X32 + 39)];
    const ends = await runAs(who, [...refused.map((call) => calling(...call)), ...unknown]);
    expect(ends.map(({ output }) => output)).toEqual([
      ...refused.map(() => `-1 ${EPERM}`),
      ...unknown.map(() => `-1 ${ENOSYS}`),
    ]);
  });

  it.runIf(process.arch === "x64")("32-bit calls are unknown", async () => {
    // mov eax, 20 (getpid); int 0x80; ret
    const code = String.raw`\xb8\x14\x00\x00\x00\xcd\x80\xc3`;
    const script = `import ctypes, mmap
page = mmap.mmap(-1, 4096, prot=7)
page.write(b"${code}")
print(ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))())`;
    const [end] = await runAs(who, [`python3 - <<'END'\n${script}\nEND`]);
    expect(end?.output).toBe(`-${ENOSYS}`);
  });

  it("the processes beside the shell have the filter, too, and the first one", async () => {
    const all = 'for p in /proc/[0-9]*; do grep -s "^Seccomp:" $p/status; done | sort -u';
    const [end] = await runAs(who, [`${all}; grep NoNewPrivs: /proc/1/status`]);
    expect(end?.output).toBe("Seccomp:\t2\nNoNewPrivs:\t1");
  });

  it("honest programs work", async () => {
    const threads =
      "import threading; t = threading.Thread(target=print, args=[1]); t.start(); t.join()";
    const ends = await runAs(who, [
      `python3 -c '${threads}; import subprocess; print(subprocess.check_output(["echo", "2"]))'`,
      `node -e 'new (require("worker_threads").Worker)("console.log(3)", { eval: true })'`,
      "git init -q r && git -C r -c user.name=a -c user.email=a commit -q --allow-empty -m 4 && git -C r log --format=%s",
      "printf 'all:\\n\\t@echo 5\\n' > Makefile; make -j2",
      "if command -v strace; then strace -f -o trace sh -c 'echo 6' && grep -c exit_group trace; fi",
      "if command -v gdb; then gdb -batch -ex 'catch syscall exit_group' -ex run -ex bt $(command -v true) 2>&1; fi",
    ]);
    expect(ends.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(ends.slice(0, 4).map(({ output }) => output)).toEqual(["1\nb'2\\n'", "3", "4", "5"]);
    expect(ends[4]?.output).toMatch(/^$|\n6\n/);
    expect(ends[5]?.output).toMatch(/^$|Catchpoint 1 \(call to syscall/);
  });
});

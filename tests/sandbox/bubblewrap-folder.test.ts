import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { afterAll, describe, expect, it } from "vitest";
import { removeScratchFolder } from "../../src/sandbox/folder.js";
import { BUBBLEWRAP, openBubblewrap, options, runApart, STARTED_BY } from "./bubblewrap.js";
import { watchdog } from "./kinds.js";

afterAll(() => watchdog.dismiss());

const DEEP = `python3 -c 'import os
os.chdir("/tmp")
for depth in range(10000):
    os.mkdir("d"); os.chdir("d")
open("end", "w"); os.chmod(".", 0)'`;
const HOSTILE = [
  "mkdir -p closed/inner && touch closed/inner/file && chmod 000 closed/inner closed",
  `python3 -c 'import os
os.mkdir(b"/tmp/\\xff\\xfe"); open(b"/tmp/\\xff\\xfe/\\n\\xff" + b"x" * 200, "w")'`,
  "touch -- '-rf' '*' ' '; ln -s / root; mkfifo pipe; mkdir no-write; touch no-write/x; chmod 500 no-write",
  "chmod 000 /tmp",
];

/** Removing folders this deep takes the kernel many seconds, more on a busy machine. */
const TIMEOUT_MS = 400_000;

describe.runIf(BUBBLEWRAP).each(STARTED_BY)("the folder of a sandbox of %s", (who) => {
  it("is removed with whatever an agent left there", { timeout: TIMEOUT_MS }, async () => {
    const { ends, left } = await runApart(who, [DEEP, ...HOSTILE]);
    expect(ends).toEqual([DEEP, ...HOSTILE].map(() => ({ output: "", exitCode: 0 })));
    expect(left).toEqual([]);
  });
});

describe.runIf(BUBBLEWRAP)("the folder of a sandbox", () => {
  it("is removed in the same way by the watchdog", async () => {
    const sandbox = await openBubblewrap();
    for (const command of HOSTILE) await sandbox.run(command, options);
    await sandbox.endProcesses();
    const script = fileURLToPath(new URL("../../src/process/watchdog.sh", import.meta.url));
    await execa("/bin/sh", [script], { input: `+dir ${sandbox.id}\n` });
    expect(existsSync(sandbox.id)).toBe(false);
    await sandbox.close();
  });

  it("is opened again after it was closed as a whole", async () => {
    const sandbox = await openBubblewrap();
    try {
      await sandbox.run("chmod 000 /", { ...options, timeoutMs: 1_000 });
      await sandbox.endProcesses();
      expect(await sandbox.exec("echo open", options)).toMatchObject({
        output: "open",
        exitCode: 0,
      });
    } finally {
      await sandbox.close();
    }
  });

  it("is removed below a link, which stays", async () => {
    const dir = mkdtempSync(join(tmpdir(), "linked-"));
    try {
      mkdirSync(join(dir, "real/scratch"), { recursive: true });
      symlinkSync(join(dir, "real"), join(dir, "link"));
      await removeScratchFolder(join(dir, "link/scratch"));
      expect(readdirSync(dir).sort()).toEqual(["link", "real"]);
      expect(readdirSync(join(dir, "real"))).toEqual([]);
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });
});

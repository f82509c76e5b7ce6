import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findInit, initCommands } from "../../../src/sandbox/native/init.js";

const INIT = findInit();

async function init(...args: string[]) {
  return execa(INIT, args, { all: true, reject: false, stripFinalNewline: false });
}

describe("fresh", () => {
  let dir: string;
  const fresh = (...folders: { path: string; mode: number }[]) =>
    init(...initCommands.fresh(INIT, folders).slice(1));
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), "init-"));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  it("empties folders with anything in them, and creates missing ones in their modes", async () => {
    const full = join(dir, "full");
    mkdirSync(join(full, `${"deep/".repeat(300)}end`), { recursive: true });
    mkdirSync(join(full, "locked"));
    writeFileSync(join(full, "locked/file"), "");
    chmodSync(join(full, "locked"), 0);
    symlinkSync(dir, join(full, "link"));
    writeFileSync(join(dir, "other"), "stays");
    for (let at = 0; at < 3000; at++) writeFileSync(join(full, `file ${at}`), "");
    const made = join(dir, "new/inner");
    const { exitCode } = await fresh({ path: full, mode: 0o777 }, { path: made, mode: 0o700 });
    expect(exitCode).toBe(0);
    expect(readdirSync(full)).toEqual([]);
    expect(lstatSync(full).mode & 0o7777).toBe(0o777);
    expect(readdirSync(made)).toEqual([]);
    expect(lstatSync(made).mode & 0o7777).toBe(0o700);
    expect(readFileSync(join(dir, "other"), "utf8")).toBe("stays");
  });

  it("replaces a file or a link that stands in the way, and follows none", async () => {
    writeFileSync(join(dir, "logs"), "in the way");
    mkdirSync(join(dir, "home"));
    writeFileSync(join(dir, "home/precious"), "");
    symlinkSync(join(dir, "home"), join(dir, "tests"));
    const { exitCode } = await fresh(
      { path: join(dir, "logs/verifier"), mode: 0o777 },
      { path: join(dir, "tests"), mode: 0o755 },
    );
    expect(exitCode).toBe(0);
    expect(lstatSync(join(dir, "logs/verifier")).isDirectory()).toBe(true);
    expect(lstatSync(join(dir, "tests")).isDirectory()).toBe(true);
    expect(existsSync(join(dir, "home/precious"))).toBe(true);
  });
});

describe("run", () => {
  it("has the program's own exit code, its directory, and stderr in order on stdout", async () => {
    const { all, exitCode } = await init("run", "/tmp", "sh", "-c", "pwd; echo e >&2; exit 9");
    expect({ all, exitCode }).toEqual({ all: "/tmp\ne\n", exitCode: 9 });
  });

  it("runs a script without a first line, and says when there is nothing to run", async () => {
    const dir = mkdtempSync(join(tmpdir(), "init-"));
    const script = join(dir, "script");
    writeFileSync(script, 'set -- a b; [[ $2 == b ]] && echo "$2 $0"\n');
    chmodSync(script, 0o755);
    expect((await init("run", "/", script)).all).toBe(`b ${script}\n`);
    chmodSync(script, 0o644);
    const locked = await init("run", "/", script);
    expect({ all: locked.all, exitCode: locked.exitCode }).toEqual({
      all: `${script}: can't be run\n`,
      exitCode: 126,
    });
    rmSync(dir, { recursive: true });
    expect(await init("run", "/", "no-such-program")).toMatchObject({
      all: "no-such-program: not found\n",
      exitCode: 127,
    });
  });
});

import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { resolveAgent } from "../../../src/agent/command/resolve.js";
import { TermRunError } from "../../../src/errors.js";

let dir = "";

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "resolve-"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(dir, { recursive: true, force: true });
});

function write(name: string, content: string, mode = 0o644): string {
  const file = join(dir, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  chmodSync(file, mode);
  return file;
}

function refusal(spec: string): TermRunError {
  try {
    resolveAgent(spec, dir);
  } catch (error) {
    expect(error).toBeInstanceOf(TermRunError);
    expect(error).toMatchObject({ code: "agent_unusable", hint: expect.any(String) });
    return error as TermRunError;
  }
  throw new Error(`${spec} was accepted`);
}

describe("a file", () => {
  it.each([
    ["my.py", /\/python3$/],
    ["my.sh", /\/bash$/],
    ["my.js", process.execPath],
    ["my.mjs", process.execPath],
    ["my.cjs", process.execPath],
  ])("named %s needs neither execute permission nor shebang", (name, command) => {
    const file = write(name, "");
    const found = resolveAgent(`./${name}`, dir);
    expect(found).toEqual({
      name: "my",
      command: expect.stringMatching(command),
      args: [file],
      cwd: dir,
    });
  });

  it("in TypeScript is run through a loader", () => {
    const file = write("my.ts", "");
    const { command, args } = resolveAgent(file);
    expect(command).toBe(process.execPath);
    expect(args).toEqual(["--import", expect.stringContaining("tsx"), file]);
  });

  it.each([
    ["#!/bin/sh -e\n", "/bin/sh", ["-e"]],
    ["#!/usr/bin/env bash\r\n", expect.stringMatching(/\/bash$/), []],
    ["#!/usr/bin/env -S sh -x -e\n", expect.stringMatching(/\/sh$/), ["-x", "-e"]],
  ])("is run as its first line says: %j", (line, command, args) => {
    const file = write("my.py", line);
    expect(resolveAgent(file)).toEqual({
      name: "my",
      command,
      args: [...args, file],
      cwd: process.cwd(),
    });
  });

  it("without a known extension is run itself", () => {
    const file = write("my-agent", "#!/bin/sh\n", 0o755);
    expect(resolveAgent("my-agent", dir)).toEqual({
      name: "my-agent",
      command: file,
      args: [],
      cwd: dir,
    });
  });

  it("may have a space in its name", () => {
    const file = write("my agent.py", "");
    expect(resolveAgent("my agent.py", dir)).toMatchObject({ name: "my agent", args: [file] });
  });

  it("needs execute permission when its extension is unknown", () => {
    const file = write("my-agent", "#!/bin/sh\n");
    const error = refusal("./my-agent");
    expect(error.message).toBe(`${file} is not executable`);
    expect(error.hint).toContain(`chmod +x ${file}`);
  });

  it.each([
    ["my-agent", "#!/opt/none/python9\n", "/opt/none/python9"],
    ["my-agent", "#!/usr/bin/env no-such-program\n", "no-such-program"],
    ["my.py", "#!/usr/bin/env no-such-program\n", "no-such-program"],
  ])("needs its interpreter: %s with %j", (name, line, program) => {
    const file = write(name, line, 0o755);
    expect(refusal(name).message).toBe(`${file} needs ${program}, which is not installed here`);
  });

  it("needs the interpreter for its extension", () => {
    const file = write("my.py", "");
    vi.stubEnv("PATH", dir);
    expect(refusal("my.py").message).toBe(`${file} needs python3, which is not installed here`);
  });

  it.each(["./missing.py", "missing.py", "/none/missing", "no-such-program", "", "  "])(
    "must exist: %j",
    (spec) => {
      const error = refusal(spec);
      expect(error.message).toContain(`agent not found: "${spec}"`);
      expect(error.hint).toContain("oracle, nop");
    },
  );
});

describe("a folder", () => {
  it.each([
    ['{"bin": "./cli.mjs"}', "cli.mjs"],
    ['{"bin": {"my": "dist/cli.mjs"}, "main": "other.js"}', "dist/cli.mjs"],
    ['{"main": "main.js"}', "main.js"],
  ])("is run as its package.json says: %s", (json, entry) => {
    write("folder/package.json", json);
    const file = write(`folder/${entry}`, "");
    expect(resolveAgent("./folder", dir)).toEqual({
      cwd: dir,
      name: "folder",
      command: process.execPath,
      args: [file],
    });
  });

  it.each(["agent.sh", "agent.py", "agent.mjs"])("may hold %s", (name) => {
    const file = write(`folder/${name}`, "");
    expect(resolveAgent("folder/", dir)).toMatchObject({ name: "folder", args: [file] });
  });

  it("may hold a program named agent", () => {
    const file = write("folder/agent", "#!/bin/sh\n", 0o755);
    expect(resolveAgent("folder", dir)).toEqual({
      name: "folder",
      command: file,
      args: [],
      cwd: dir,
    });
  });

  it("may have a package.json that names nothing", () => {
    write("folder/package.json", '{"name": "x"}');
    const file = write("folder/agent.sh", "");
    expect(resolveAgent("folder", dir)).toMatchObject({ args: [file] });
  });

  it("says when what package.json names isn't there", () => {
    write("folder/package.json", '{"bin": "dist/cli.js"}');
    expect(refusal("folder").message).toContain("dist/cli.js, which doesn't exist");
  });

  it("says when package.json can't be read", () => {
    write("folder/package.json", "{");
    expect(refusal("folder").message).toContain("package.json can't be read");
  });

  it("says when it contains no agent", () => {
    write("folder/README.md", "");
    expect(refusal("folder").message).toBe(`no agent found in the folder ${join(dir, "folder")}`);
  });
});

describe("a command line", () => {
  it.each([
    ["python3 my.py --model x", "python3"],
    ["  sh -c 'exec cat'", "sh"],
    ["A=1 B='2' sh my.sh", "sh"],
    ["./tool --flag", "tool"],
  ])("goes to the shell as it is: %s", (line, name) => {
    write("tool", "#!/bin/sh\n", 0o755);
    expect(resolveAgent(line, dir)).toEqual({
      name,
      command: "/bin/sh",
      args: ["-c", line],
      cwd: dir,
    });
  });

  it.each(["no-such-program --flag", "./missing --flag", "A=1 no-such-program x"])(
    "must start with a program that exists: %s",
    (line) => {
      expect(refusal(line).message).toMatch(/starts with \S+, which can't be found or executed/);
    },
  );

  it("must start with an executable program", () => {
    write("tool", "#!/bin/sh\n");
    expect(refusal("./tool --flag").message).toContain("starts with ./tool");
  });
});

describe("a program", () => {
  it("is found on the PATH", () => {
    const file = write("bin/my-agent", "#!/bin/sh\n", 0o755);
    vi.stubEnv("PATH", `${join(dir, "none")}:${dirname(file)}`);
    expect(resolveAgent("my-agent", "/")).toEqual({
      cwd: "/",
      name: basename(file),
      command: file,
      args: [],
    });
  });

  it("is not found without execute permission", () => {
    vi.stubEnv("PATH", dirname(write("bin/my-agent", "")));
    expect(refusal("my-agent").message).toContain("agent not found");
  });
});

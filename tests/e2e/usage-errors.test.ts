import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HELLO, makePlace, type Place, QUICK, TASKS, termRun } from "./cli.js";
import { writeTask } from "./tasks.js";

interface UserError {
  name: string;
  args: (place: Place) => string[];
  happened: RegExp;
  toDo: RegExp;
}

const SEE_HELP = /term-run --help/;

const USER_ERRORS: UserError[] = [
  {
    name: "an unknown flag",
    args: () => [HELLO, "--agent", "nop", "--frobnicate"],
    happened: /unknown option '--frobnicate'/,
    toDo: SEE_HELP,
  },
  {
    name: "no agent",
    args: () => [HELLO],
    happened: /no agent given/,
    toDo: /Give one: --agent/,
  },
  {
    name: "no tasks",
    args: () => ["--agent", "nop"],
    happened: /no tasks given/,
    toDo: /Give a task folder or a folder of tasks/,
  },
  {
    name: "a number that isn't one",
    args: () => [HELLO, "--agent", "nop", "--attempts", "many"],
    happened: /--attempts <n>' argument 'many' is invalid/,
    toDo: /must be a whole number of at least 1/,
  },
  {
    name: "a missing tasks folder",
    args: () => ["nowhere", "--agent", "nop"],
    happened: /no such file or folder: .*\/nowhere/,
    toDo: /Give a task folder, a folder of tasks/,
  },
  {
    name: "a folder without tasks",
    args: ({ dir }) => [join(dir, "tmp"), "--agent", "nop"],
    happened: /no task found in .*\/tmp/,
    toDo: /A task is a folder with a task\.toml/,
  },
  {
    name: "a task.toml that can't be read",
    args: (place) => [
      HELLO,
      writeTask(place, "odd", { "task.toml": "[agent]\ntimeout_sec = soon\n" }),
      ...["--agent", "nop"],
    ],
    happened: /a task can't be read:\n.*\/odd\/task\.toml/,
    // Where to fix it.
    toDo: /task\.toml(:2\b|.*\bline 2\b)/,
  },
  {
    name: "globs that leave nothing",
    args: () => [TASKS, "--agent", "nop", "--include", "goodbye-*"],
    happened: /no task is left after --include and --exclude/,
    toDo: /The tasks are: .*hello-world/,
  },
  {
    name: "a missing agent",
    args: () => [HELLO, "--agent", "./gone.py"],
    happened: /agent not found: "\.\/gone\.py" is not a file/,
    toDo: /Built-in agents: oracle, nop.*give a path/,
  },
  {
    name: "a missing interpreter",
    args: ({ dir }) => [HELLO, "--agent", writeAgent(dir, "#!/usr/bin/env cobol-9000\n", 0o755)],
    happened: /my-agent needs cobol-9000, which is not installed here/,
    toDo: /Install cobol-9000, or name another interpreter/,
  },
  {
    name: "a missing program in a command line",
    args: () => [HELLO, "--agent", "cobol-9000 my-agent"],
    happened: /starts with cobol-9000, which can't be found/,
    toDo: /Check the path, its execute permission, and that the program is installed/,
  },
  {
    name: "an agent without execute permission",
    args: ({ dir }) => [HELLO, "--agent", writeAgent(dir, "#!/bin/sh\n", 0o644)],
    happened: /my-agent is not executable/,
    toDo: /chmod \+x .*my-agent/,
  },
  {
    name: "no sandbox",
    args: () => [HELLO, "--agent", "nop"],
    happened: /no Docker engine answers \(.*nowhere\.sock/,
    toDo: /start the engine that DOCKER_HOST names/,
  },
];

function writeAgent(dir: string, text: string, mode: number): string {
  const file = join(dir, "my-agent");
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

describe("user errors", () => {
  it.each(USER_ERRORS)("$name: what happened and what to do", async ({ args, happened, toDo }) => {
    const place = makePlace();
    // With an unreachable engine, every other message proves that no sandbox was looked for.
    place.env.DOCKER_HOST = `unix://${place.dir}/nowhere.sock`;
    const run = await termRun([...args(place), "--sandbox", "docker"], place);
    expect(run.stderr).toMatch(happened);
    expect(run.stderr).toMatch(toDo);
    expect(run.stderr).not.toMatch(/^\s+at .*\.js:\d+/m);
    expect(run.stdout).toBe("");
    expect(run.exitCode).toBe(2);
    expect(existsSync(place.out)).toBe(false);
  });

  it.skipIf(!QUICK)("an output folder that is a file: what happened", async () => {
    const place = makePlace();
    writeFileSync(place.out, "");
    const run = await termRun([HELLO, "--agent", "nop", "--sandbox", QUICK], place);
    expect(run.stderr).toContain(place.out);
    expect(run.stderr).not.toContain("this is a bug in term-run");
    expect(run.exitCode).toBe(2);
  });
});

import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readTask } from "../../src/task/read.js";
import { makeFolder, writeFiles, writeTask, writeYamlTask } from "./tasks.js";

let folder: ReturnType<typeof makeFolder>;
let dir = "";

beforeEach(() => {
  folder = makeFolder();
  dir = join(folder.dir, "hello");
});
afterEach(() => folder.remove());

describe("readTask", () => {
  it("reads a folder with both files as a Harbor task", async () => {
    writeYamlTask(dir);
    const task = await readTask(writeTask(dir));
    expect(task.verifier.script).toBe("test.sh");
  });

  it("says what is missing when neither file exists", async () => {
    writeFiles(dir, { "instruction.md": "Say hello.\n", "tests/test.sh": "exit 0\n" });
    await expect(readTask(dir)).rejects.toMatchObject({
      code: "task_unreadable",
      message: `${dir}: task.toml is missing`,
    });
  });
});

describe("the digest", () => {
  it("is the same for the same content, wherever it is", async () => {
    const here = await readTask(writeTask(dir));
    const there = await readTask(writeTask(join(folder.dir, "elsewhere")));
    expect(there.digest).toBe(here.digest);
  });

  it.each([
    ["instruction.md", "Say goodbye.\n"],
    ["task.toml", "[agent]\ntimeout_sec = 5\n"],
    ["tests/test.sh", "exit 1\n"],
    ["tests/more/data.txt", "data\n"],
    ["environment/Dockerfile", "FROM debian\n"],
    ["solution/solve.sh", "true\n"],
  ])("changes with %s", async (file, content) => {
    const before = (await readTask(writeTask(dir))).digest;
    const after = await readTask(writeTask(dir, { [file]: content }));
    expect(after.digest).not.toBe(before);
  });

  it.each([
    ["task.yaml", "instruction: Say goodbye.\n"],
    ["Dockerfile", "FROM alpine\n"],
    ["run-tests.sh", "false\n"],
    ["data/input.txt", "data\n"],
  ])("of a task with a task.yaml changes with %s", async (file, content) => {
    const before = (await readTask(writeYamlTask(dir))).digest;
    const after = await readTask(writeYamlTask(dir, { [file]: content }));
    expect(after.digest).not.toBe(before);
  });

  it("changes with the target of a link, wherever it leads", async () => {
    writeTask(dir);
    symlinkSync("nowhere", join(dir, "tests/link"));
    const before = (await readTask(dir)).digest;
    rmSync(join(dir, "tests/link"));
    symlinkSync("elsewhere", join(dir, "tests/link"));
    expect((await readTask(dir)).digest).not.toBe(before);
  });

  it("is computed on first use, once", async () => {
    const task = await readTask(writeTask(dir, { "tests/a": "x" }));
    writeFileSync(join(dir, "tests/a"), "y");
    const { digest } = task;
    writeFileSync(join(dir, "tests/a"), "z");
    expect(task.digest).toBe(digest);
    expect((await readTask(writeTask(dir, { "tests/a": "y" }))).digest).toBe(digest);
  });

  it("covers files that are larger than a chunk", async () => {
    const big = Buffer.alloc(700_000, "a");
    const before = (await readTask(writeTask(dir, { "tests/big": big }))).digest;
    big[600_000] = 0;
    expect((await readTask(writeTask(dir, { "tests/big": big }))).digest).not.toBe(before);
  });

  it("changes when a file is renamed", async () => {
    const before = (await readTask(writeTask(dir, { "tests/a": "x" }))).digest;
    rmSync(join(dir, "tests/a"));
    writeFileSync(join(dir, "tests/b"), "x");
    expect((await readTask(dir)).digest).not.toBe(before);
  });

  it.each(["README.md", "tests/__pycache__/a.pyc", "tests/.DS_Store", "tests/test.sh~"])(
    "does not change with %s",
    async (file) => {
      const before = (await readTask(writeTask(dir))).digest;
      const after = await readTask(writeTask(dir, { [file]: "noise" }));
      expect(after.digest).toBe(before);
    },
  );
});

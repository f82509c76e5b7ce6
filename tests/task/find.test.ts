import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findTasks } from "../../src/task/find.js";
import { makeFolder, writeTask } from "./tasks.js";

let folder: ReturnType<typeof makeFolder>;
let dir = "";

beforeEach(() => {
  folder = makeFolder();
  dir = folder.dir;
});
afterEach(() => folder.remove());

const names = async (...paths: string[]) => (await findTasks(paths)).map((task) => task.name);

describe("findTasks", () => {
  it("finds tasks at any depth, sorted by name, without those of dependencies", async () => {
    for (const name of ["b", "a", "deep/er/c", "node_modules/x", ".git/y"])
      writeTask(join(dir, name));
    expect(await names(dir)).toEqual(["a", "b", "c"]);
  });

  it("takes a task folder, or its task.toml", async () => {
    writeTask(join(dir, "a"));
    expect(await names(join(dir, "a"))).toEqual(["a"]);
    expect(await names(join(dir, "a/task.toml"))).toEqual(["a"]);
  });

  it("does not look for tasks within a task", async () => {
    writeTask(join(dir, "a"));
    writeTask(join(dir, "a/tests/inner"));
    expect(await names(dir)).toEqual(["a"]);
  });

  it("reads a task once that is named twice", async () => {
    writeTask(join(dir, "a"));
    expect(await names(dir, join(dir, "a"), `${dir}/a/`)).toEqual(["a"]);
  });

  it("lists every problem at once", async () => {
    writeTask(join(dir, "good"));
    writeTask(join(dir, "mute"), { "instruction.md": null });
    writeTask(join(dir, "unverified"), { "tests/test.sh": null });
    writeTask(join(dir, "wrong"), { "task.toml": "[agent]\ntimeout_sec = 'x'\n" });
    const error = await findTasks([dir]).catch((thrown) => thrown);
    expect(error.code).toBe("task_unreadable");
    expect(error.message).toMatch(/^3 tasks can't be read:\n/);
    expect(error.message).toContain(`${join(dir, "mute/instruction.md")} is missing`);
    expect(error.message).toContain("tests/test.sh is missing");
    expect(error.message).toContain(`${join(dir, "wrong/task.toml")}:2: agent.timeout_sec`);
    expect(error.message).not.toContain("good");
  });

  it("refuses two tasks of one name", async () => {
    writeTask(join(dir, "x/same"));
    writeTask(join(dir, "y/same"));
    await expect(findTasks([dir])).rejects.toThrow(
      `two tasks are called same: ${join(dir, "x/same")} and ${join(dir, "y/same")}`,
    );
  });

  it("says when there is nothing", async () => {
    mkdirSync(join(dir, "empty"));
    writeFileSync(join(dir, "file.txt"), "");
    for (const name of ["empty", "file.txt"])
      await expect(findTasks([join(dir, name)])).rejects.toMatchObject({
        code: "usage",
        message: `there is no task in ${join(dir, name)}`,
      });
    await expect(findTasks([join(dir, "missing")])).rejects.toMatchObject({
      code: "usage",
      message: `there is no file or folder ${join(dir, "missing")}`,
    });
  });
});

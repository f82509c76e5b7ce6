import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FindOptions, findTasks } from "../../src/task/find.js";
import { makeFolder, writeTask, writeYamlTask } from "./tasks.js";

let folder: ReturnType<typeof makeFolder>;
let dir = "";

beforeEach(() => {
  folder = makeFolder();
  dir = folder.dir;
});
afterEach(() => folder.remove());

const names = async (...paths: string[]) => (await findTasks(paths)).tasks.map((task) => task.name);

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

  it("refuses two tasks with one name", async () => {
    writeTask(join(dir, "x/same"));
    writeTask(join(dir, "y/same"));
    await expect(findTasks([dir])).rejects.toThrow(
      `two tasks are named same: ${join(dir, "x/same")} and ${join(dir, "y/same")}`,
    );
  });

  it("finds tasks of both layouts, and takes a task.yaml", async () => {
    writeTask(join(dir, "a"));
    writeYamlTask(join(dir, "b"));
    expect(await names(dir)).toEqual(["a", "b"]);
    expect(await names(join(dir, "b/task.yaml"))).toEqual(["b"]);
  });

  it("never skips what looks like a task", async () => {
    writeTask(join(dir, "good"));
    writeTask(join(dir, "bare"), { "task.toml": null });
    writeTask(join(dir, "broken"), { "task.toml": "a = 1\nb = \n" });
    writeYamlTask(join(dir, "crooked"), { "task.yaml": "a: [\n" });
    const error = await findTasks([dir]).catch((thrown) => thrown);
    expect(error.message.split("\n")).toEqual([
      "3 tasks can't be read:",
      `  ${join(dir, "bare")}: task.toml is missing`,
      expect.stringMatching(/broken\/task\.toml:2:\d+: /),
      expect.stringMatching(/crooked\/task\.yaml:\d+:\d+: /),
    ]);
  });

  it("follows links to folders elsewhere, without looping", async () => {
    writeTask(join(dir, "store/a"));
    writeTask(join(dir, "chosen/b"));
    symlinkSync(join(dir, "store/a"), join(dir, "chosen/link"));
    symlinkSync(join(dir, "chosen"), join(dir, "chosen/self"));
    symlinkSync(dir, join(dir, "chosen/up"));
    symlinkSync("nowhere", join(dir, "chosen/broken"));
    expect(await names(join(dir, "chosen"))).toEqual(["b", "link"]);
  });

  it("takes globs", async () => {
    for (const name of ["git-a", "git-b", "sql-c", "deep/git-d"]) writeTask(join(dir, name));
    writeFileSync(join(dir, "git-notes.txt"), "");
    symlinkSync(dir, join(dir, "loop"));
    expect(await names(`${dir}/git-*`)).toEqual(["git-a", "git-b"]);
    expect(await names(`${dir}/{git-a,sql-*}/`)).toEqual(["git-a", "sql-c"]);
    expect(await names(`${dir}/**/git-*`)).toEqual(["git-a", "git-b", "git-d"]);
    expect(await names(`${dir}/d*`)).toEqual(["git-d"]);
    expect(await names(`${dir}/git-?/task.toml`)).toEqual(["git-a", "git-b"]);
    await expect(findTasks([`${dir}/x*`])).rejects.toMatchObject({
      code: "usage",
      message: `no task matches ${dir}/x*`,
    });
  });

  it("takes a folder by its name even if it has the characters of a glob", async () => {
    writeTask(join(dir, "a[1]"));
    writeTask(join(dir, "a1"));
    expect(await names(`${dir}/a[1]`)).toEqual(["a[1]"]);
  });

  it("lists a thousand tasks in little more than the time to read the folders", async () => {
    for (let i = 0; i < 1000; i++)
      writeTask(join(dir, `${i % 10}/task-${i}`), {
        "task.toml": "[agent]\ntimeout_sec = 60\n[environment]\ncpus = 1\n",
        "environment/Dockerfile": "FROM debian\n",
        "solution/solve.sh": "true\n",
      });
    const look = (path: string): void => {
      for (const entry of readdirSync(path, { withFileTypes: true })) {
        const child = join(path, entry.name);
        if (entry.isDirectory()) look(child);
        else readFileSync(child);
      }
    };
    // Processor time: other work on the machine doesn't count.
    const cost = async (work: () => unknown) => {
      const before = process.cpuUsage();
      await work();
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    const best = async (work: () => unknown) =>
      Math.min(await cost(work), await cost(work), await cost(work));
    const plain = await best(() => look(dir));
    const listing = await best(() => findTasks([dir]));
    expect(await names(dir)).toHaveLength(1000);
    expect(listing / plain).toBeLessThan(5);
  }, 120_000);

  it("leaves out tasks that can't be read, if asked to, and tells which and why", async () => {
    writeTask(join(dir, "good"));
    writeTask(join(dir, "wrong"), { "task.toml": "[agent]\ntimeout_sec = 'x'\n" });
    writeYamlTask(join(dir, "crooked"), { "task.yaml": "a: [\n" });
    const { tasks, unreadable } = await findTasks([dir], { skipUnreadable: true });
    expect(tasks.map(({ name }) => name)).toEqual(["good"]);
    expect(unreadable).toEqual([
      {
        task: "crooked",
        dir: join(dir, "crooked"),
        problem: expect.stringMatching(/crooked\/task\.yaml:\d+:\d+: /),
      },
      {
        task: "wrong",
        dir: join(dir, "wrong"),
        problem: expect.stringMatching(/wrong\/task\.toml:2: agent\.timeout_sec must be/),
      },
    ]);
  });

  it("leaves out neither two tasks with one name nor a broken dataset file", async () => {
    writeTask(join(dir, "x/same"));
    writeTask(join(dir, "y/same"));
    writeFileSync(join(dir, "list.json"), "{");
    const find = (...paths: string[]) => findTasks(paths, { skipUnreadable: true });
    await expect(find(join(dir, "x"), join(dir, "y"))).rejects.toThrow("two tasks are named same");
    await expect(find(join(dir, "x"), join(dir, "list.json"))).rejects.toThrow(
      /list\.json:\d+:\d+: /,
    );
  });

  it("does not read what --include and --exclude leave out", async () => {
    writeTask(join(dir, "good"));
    writeTask(join(dir, "named"), {
      "task.toml": '[task]\nname = "org/odd"\n[agent]\nuser = []\n',
    });
    writeTask(join(dir, "broken"), { "task.toml": "[agent\n" });
    writeYamlTask(join(dir, "crooked"), { "task.yaml": "a: [\n" });
    const find = async (options: FindOptions) =>
      (await findTasks([dir], options)).tasks.map(({ name }) => name);
    expect(await find({ exclude: ["org/*", "broken", "crooked"] })).toEqual(["good"]);
    expect(await find({ include: ["go*"] })).toEqual(["good"]);
    expect(await find({ include: ["*"], exclude: ["{broken,crooked}"] })).toEqual(["good"]);
    await expect(find({ exclude: ["named", "broken", "crooked"] })).rejects.toThrow("agent.user");
    await expect(find({ include: ["gone"] })).rejects.toMatchObject({
      code: "usage",
      message: "no task is left after --include and --exclude",
      hint: "The tasks are: broken, crooked, good, org/odd",
    });
  });

  it("says when there is nothing", async () => {
    mkdirSync(join(dir, "empty"));
    writeFileSync(join(dir, "file.txt"), "");
    for (const name of ["empty", "file.txt"])
      await expect(findTasks([join(dir, name)])).rejects.toMatchObject({
        code: "usage",
        message: `no task found in ${join(dir, name)}`,
      });
    await expect(findTasks([join(dir, "missing")])).rejects.toMatchObject({
      code: "usage",
      message: `no such file or folder: ${join(dir, "missing")}`,
    });
  });
});

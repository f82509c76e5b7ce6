import { createHash } from "node:crypto";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { packageDigest } from "../../src/task/digest.js";
import { findTasks } from "../../src/task/find.js";
import { type Files, makeFolder, writeFiles, writeTask } from "./tasks.js";

let folder: ReturnType<typeof makeFolder>;
let dir = "";

beforeEach(() => {
  folder = makeFolder();
  dir = folder.dir;
  writeTask(join(dir, "a"), { "task.toml": '[task]\nname = "org/a"\n' });
  writeTask(join(dir, "deep/b"));
  writeTask(join(dir, "c"));
});
afterEach(() => folder.remove());

const digestOf = (name: string) => `sha256:${packageDigest(join(dir, name))}`;
const find = async (file: string, text: string) => {
  writeFiles(dir, { [file]: text });
  return (await findTasks([join(dir, file)])).tasks.map((task) => task.name);
};
const failure = (file: string, text: string) => find(file, text).catch((error) => error);

describe("a dataset file", () => {
  it("lists tasks beside it by name", async () => {
    const toml = `schema_version = "1.0"
[dataset]
name = "org/set"
description = "A set."
[[tasks]]
name = "org/a"
digest = "${digestOf("a")}"
[[tasks]]
name = "org/b"
digest = "${digestOf("deep/b")}"
[[files]]
path = "metric.py"
`;
    expect(await find("dataset.toml", toml)).toEqual(["b", "org/a"]);
  });

  it.each([
    ["list.toml", () => '[[tasks]]\npath = "a"\n[[tasks]]\npath = "deep/b"\n'],
    ["list.toml", () => 'tasks = ["a", "deep/b"]\n'],
    ["list.json", () => JSON.stringify({ tasks: [{ path: "a" }, { path: "./deep/b" }] })],
    ["list.json", () => JSON.stringify(["a", join(dir, "deep/b")])],
    [
      "registry.json",
      () => JSON.stringify([{ name: "x", tasks: [{ name: "a", path: "a" }, { path: "deep/b" }] }]),
    ],
  ])("lists folders by path: %s", async (file, text) => {
    expect(await find(file, text())).toEqual(["b", "org/a"]);
  });

  it("takes the digest that a run shows, with or without its prefix", async () => {
    const [task] = (await findTasks([join(dir, "a")])).tasks;
    const list = (digest = "") => JSON.stringify({ tasks: [{ path: "a", digest }] });
    expect(await find("list.json", list(task?.digest))).toEqual(["org/a"]);
    expect(await find("list.json", list(`sha256:${task?.digest}`))).toEqual(["org/a"]);
  });

  it("names every entry that is wrong", async () => {
    const wrong = "0".repeat(64);
    const error = await failure(
      "dataset.toml",
      `[[tasks]]
path = "a"
digest = "sha256:${wrong}"
[[tasks]]
path = "nowhere"
[[tasks]]
name = "org/unknown"
[[tasks]]
path = "c"
digest = "md5:1"
[[tasks]]
digest = "${wrong}"
`,
    );
    const file = join(dir, "dataset.toml");
    expect(error.code).toBe("task_unreadable");
    expect(error.message.split("\n  ")).toEqual([
      "5 tasks can't be read:",
      `${file}:5: tasks[1].path is nowhere: no such task`,
      `${file}:7: tasks[2].name is org/unknown: no such task`,
      `${file}:10: tasks[3].digest must be sha256: and 64 hex digits, not "md5:1"`,
      `${file}:11: tasks[4].name is missing`,
      `${file}:3: tasks[0].digest is sha256:${wrong}, but ${join(dir, "a")} has ${digestOf("a")}`,
    ]);
  });

  it("may list wrongly what is left out", async () => {
    const tasks = [{ path: "a" }, { path: "nowhere" }, { name: "org/gone" }];
    writeFiles(dir, { "list.json": JSON.stringify({ tasks }) });
    const file = join(dir, "list.json");
    const found = await findTasks([file], { exclude: ["nowhere", "org/gone"] });
    expect(found.tasks.map(({ name }) => name)).toEqual(["org/a"]);
    const { unreadable } = await findTasks([file], { skipUnreadable: true });
    expect(unreadable).toEqual([
      { task: "nowhere", dir: null, problem: expect.stringContaining("nowhere: no such task") },
      { task: "org/gone", dir: null, problem: expect.stringContaining("org/gone: no such task") },
    ]);
  });

  it("finds a task by its name even if the rest of it can't be read", async () => {
    writeTask(join(dir, "odd"), { "task.toml": '[task]\nname = "org/x"\n[agent]\nuser = []\n' });
    expect((await failure("list.json", '[{"name": "org/x"}]')).message).toContain("agent.user");
  });

  it("with metrics warns of how they compare", async () => {
    const toml = '[dataset]\nname = "org/set"\nversion = "2"\n[[tasks]]\npath = "a"\n';
    writeFiles(dir, { "dataset.toml": `${toml}[[files]]\npath = "metric.py"\n` });
    const { warnings, datasets, tasks } = await findTasks([join(dir, "dataset.toml")]);
    expect(warnings).toEqual([
      expect.stringMatching(/^org\/set@2 declares the metric metric\.py, .*isn't run/),
    ]);
    expect(datasets).toEqual([
      { name: "org/set", version: "2", registry: join(dir, "dataset.toml") },
    ]);
    expect(tasks[0]?.origin).toEqual({ dataset: "org/set@2", digest: null, git: null });
  });

  it("checks a digest also when the folder is given separately", async () => {
    writeFiles(dir, {
      "list.json": JSON.stringify([{ path: "c", digest: "0".repeat(64) }]),
    });
    await expect(findTasks([join(dir, "c"), join(dir, "list.json")])).rejects.toThrow(
      "tasks[0].digest is",
    );
    await expect(findTasks([join(dir, "list.json"), join(dir, "c")])).rejects.toThrow(
      "tasks[0].digest is",
    );
  });

  it.each([
    ["dataset.toml", "[[tasks]\n", /dataset\.toml:1:\d+: /],
    ["list.json", '{\n  "tasks": [,]\n}\n', /list\.json:2:13: /],
    ["list.json", '{"tasks": ["a",]}', /list\.json: not valid JSON: /],
    [
      "list.json",
      '{\n\t"tasks": [\n\t\t"a",\n\t\t{"path": 3}]\n}',
      /list\.json:4: tasks\[1\]\.path must be/,
    ],
    ["list.json", "[]", /list\.json: no tasks are listed/],
    ["list.json", "3", /list\.json: must be a table of fields/],
    ["list.json", '{"tasks": [3]}', /tasks\[0\] must be a string or a table, not 3/],
    [
      "list.json",
      '[{"name": "a", "path": "a", "git_url": "ext::x"}]',
      /list\.json:1: tasks\[0\]\.git_url names a transport that runs a program/,
    ],
  ])("says where it is wrong: %s %j", async (file, text, problem) => {
    const error = await failure(file, text);
    expect(error.code).toBe("task_unreadable");
    expect(error.message).toMatch(problem);
  });
});

describe("the digest of a package", () => {
  const sha = (text: string) => createHash("sha256").update(text).digest("hex");
  const expected = (files: Record<string, string>) =>
    sha(
      Object.keys(files)
        .sort()
        .map((name) => `${name}\0${sha(files[name] as string)}\n`)
        .join(""),
    );
  const files = {
    "task.toml": "",
    "instruction.md": "Hi.\n",
    "README.md": "# Hi\n",
    "tests/test.sh": "exit 0\n",
    "environment/deep/data": "data\n",
  };

  it.each<[string, Files, Record<string, string>]>([
    ["is over its files", {}, {}],
    ["leaves out other files", { "notes.txt": "x", "other/file": "x" }, {}],
    ["leaves out noise", { "tests/__pycache__/a.pyc": "x", "tests/a~": "x" }, {}],
    [
      "leaves out what .gitignore says, and that only",
      {
        ".gitignore": "*.log\n/tests/out/\n",
        "tests/a.log": "x",
        "tests/out/b": "x",
        "tests/a~": "y",
      },
      { "tests/a~": "y" },
    ],
  ])("%s", (_, more, counted) => {
    const task = writeFiles(join(dir, "package"), { ...files, ...more });
    expect(packageDigest(task)).toBe(expected({ ...files, ...counted }));
  });
});

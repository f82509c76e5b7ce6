import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { packageDigest } from "../../../src/task/digest.js";
import { type FindOptions, findTasks } from "../../../src/task/find.js";
import { makeRepository, taskFiles } from "../../support/repository.js";
import { makeCachedPlace } from "../cache.js";
import { writeFiles, writeTask } from "../tasks.js";
import { serve } from "./server.js";

function makePlace() {
  const { dir, cache } = makeCachedPlace();
  const repository = makeRepository(join(dir, "repo"));
  const id = repository.commit({
    ...taskFiles("suite/a"),
    ...taskFiles("suite/b", { "task.toml": '[task]\nname = "org/b"\n' }),
    ...taskFiles("suite/broken", { "task.toml": "[agent]\ntimeout_sec = soon\n" }),
    "suite/notes.md": "",
  });
  const { url } = repository;
  const entry = (name: string, more = {}) => {
    return { name, path: `suite/${name}`, git_url: url, git_commit_id: id, ...more };
  };
  const registry = (datasets: object[]) => {
    writeFiles(join(dir, "registry"), { "registry.json": JSON.stringify(datasets, null, 1) });
    return join(dir, "registry");
  };
  const find = (datasets: object[], name: string, options: FindOptions = {}) =>
    findTasks([name], { registries: [registry(datasets)], ...options });
  return { dir, cache, repository, url, id, entry, registry, find };
}

const namesOf = ({ tasks }: Awaited<ReturnType<typeof findTasks>>) => tasks.map(({ name }) => name);

describe("NAME@VERSION", () => {
  it("is what Harbor's registry lists, at that commit, with where it is from", async () => {
    const { find, entry, url, id, dir, repository } = makePlace();
    repository.commit(taskFiles("suite/a", { "instruction.md": "Another.\n" }));
    const demo = {
      name: "org/demo",
      version: "1.0",
      description: "x",
      tasks: [entry("a"), entry("b")],
    };
    const found = await find([demo], "org/demo@1.0");
    expect(namesOf(found)).toEqual(["a", "org/b"]);
    expect(found.tasks[0]).toMatchObject({
      instruction: "Do nothing.",
      origin: { dataset: "org/demo@1.0", digest: null, git: { url, id, path: "suite/a" } },
    });
    expect(found.datasets).toEqual([
      { name: "org/demo", version: "1.0", registry: join(dir, "registry/registry.json") },
    ]);
    expect(found.warnings).toEqual([]);
    expect(namesOf(await find([demo], "org/demo==1.0"))).toEqual(["a", "org/b"]);
  });

  it("is the latest commit where the registry names none", async () => {
    const { find, entry, repository } = makePlace();
    const id = repository.commit(taskFiles("suite/c"));
    for (const git_commit_id of ["head", "HEAD", undefined]) {
      const tasks = [entry("c", { git_commit_id })];
      const found = await find([{ name: "demo", version: "head", tasks }], "demo@head");
      expect(found.tasks[0]?.origin?.git?.id).toBe(id);
    }
  });

  it("is a folder, or some of it, in Terminal-Bench's registry", async () => {
    const { find, url, id } = makePlace();
    const core = {
      name: "core",
      terminal_bench_version: ">=0.2",
      github_url: url,
      dataset_path: "./suite",
      branch: "main",
      commit_hash: id,
    };
    const registry = [
      { ...core, version: "0.1.1", task_id_subset: ["a", "b"] },
      { ...core, version: "head", commit_hash: "head", task_id_subset: null },
    ];
    const some = await find(registry, "core==0.1.1");
    expect(namesOf(some)).toEqual(["a", "org/b"]);
    const all = await find(registry, "core==head", { skipUnreadable: true });
    expect(namesOf(all)).toEqual(["a", "org/b"]);
    expect(all.unreadable).toMatchObject([{ task: "broken" }]);
    expect(namesOf(await find(registry, "core@head", { exclude: ["broken"] }))).toEqual([
      "a",
      "org/b",
    ]);
  });

  it("can be given by an address: entries without one are beside the list", async () => {
    const { repository, dir, id } = makePlace();
    const tasks = [{ name: "a", path: "suite/a" }];
    repository.commit({ "registry.json": JSON.stringify([{ name: "demo", version: "1", tasks }]) });
    const found = await findTasks(["demo@1"], { registries: [repository.url] });
    expect(namesOf(found)).toEqual(["a"]);
    const git = found.tasks[0]?.origin?.git;
    expect(git).toMatchObject({ url: repository.url, path: "suite/a" });
    expect(git?.id).not.toBe(id);
    expect(namesOf(await findTasks(["demo@1"], { registries: [join(dir, "repo")] }))).toEqual([
      "a",
    ]);
  });

  it("can be of a repository with a dataset.toml, whose tasks go by their names", async () => {
    const { repository } = makePlace();
    const id = repository.commit({
      "dataset.toml":
        '[dataset]\nname = "org/demo"\n[[tasks]]\nname = "org/b"\n[[tasks]]\nname = "org/a"\n',
    });
    const found = await findTasks(["org/demo@head"], { registries: [repository.url] });
    expect(namesOf(found)).toEqual(["a", "org/b"]);
    expect(found.tasks[1]?.origin).toEqual({
      dataset: "org/demo@head",
      digest: null,
      git: { url: repository.url, id, path: "suite/b" },
    });
  });

  it("is not fetched where it is left out", async () => {
    const { find, entry, cache } = makePlace();
    const gone = {
      name: "gone",
      path: "x",
      git_url: "https://registry.invalid/x.git",
      git_commit_id: "1".repeat(40),
    };
    const demo = { name: "demo", version: "1", tasks: [entry("a"), gone] };
    const found = await find([demo], "demo@1", { include: ["a"] });
    expect(namesOf(found)).toEqual(["a"]);
    expect(found.tasks[0]?.dir.startsWith(cache)).toBe(true);
  });

  it("comes from the first registry that has it; one that can't be reached is a warning", async () => {
    const { entry, registry } = makePlace();
    const { url, close } = await serve((_, response) => response.end());
    await close();
    const registries = [
      `${url}/registry.json`,
      registry([{ name: "demo", version: "1", tasks: [entry("a")] }]),
    ];
    const found = await findTasks(["demo@1"], { registries });
    expect(namesOf(found)).toEqual(["a"]);
    expect(found.warnings).toEqual([expect.stringContaining(`${url}/registry.json can't be read`)]);
    await expect(findTasks(["other@1"], { registries })).rejects.toMatchObject({ code: "infra" });
  });

  it("is read over http from loopback, and may name folders of this machine only then", async () => {
    const { entry } = makePlace();
    const list = JSON.stringify([{ name: "demo", version: "1", tasks: [entry("a")] }]);
    const { url } = await serve((_, response) => response.end(list));
    const registries = [`${url}/registry.json`];
    expect(namesOf(await findTasks(["demo@1"], { registries }))).toEqual(["a"]);
    await expect(
      findTasks(["demo@1"], { registries: ["http://registry.invalid/registry.json"] }),
    ).rejects.toMatchObject({
      code: "usage",
      message: "the registry http://registry.invalid/registry.json must start with https://",
    });
  });

  it("works without registry and repository once it was fetched", async () => {
    const { entry, repository } = makePlace();
    const list = JSON.stringify([
      { name: "demo", version: "1", tasks: [entry("a"), entry("b", { git_commit_id: "head" })] },
    ]);
    const { url, close } = await serve((_, response) => response.end(list));
    const find = () => findTasks(["demo@1"], { registries: [`${url}/registry.json`] });
    const online = await find();
    await close();
    repository.goAway();
    const offline = await find();
    expect(offline.tasks.map(({ dir }) => dir)).toEqual(online.tasks.map(({ dir }) => dir));
    expect(offline.warnings).toEqual([
      expect.stringContaining("using the copy of"),
      expect.stringContaining("using its HEAD of"),
    ]);
  });

  it("that isn't known says what is", async () => {
    const { find, entry } = makePlace();
    const demo = [{ name: "demo", version: "1.0", tasks: [entry("a")] }];
    await expect(find(demo, "demo@2")).rejects.toMatchObject({
      code: "usage",
      message: expect.stringMatching(/^there is no dataset demo@2 in .*registry\.json$/),
      hint: "Its versions are: 1.0.",
    });
    await expect(find(demo, "dmeo@1.0")).rejects.toMatchObject({
      hint: expect.stringContaining("Did you mean demo?"),
    });
  });

  it("may not have a name that another task has", async () => {
    const { find, entry, dir, registry } = makePlace();
    const demo = { name: "demo", version: "1", tasks: [entry("a")] };
    writeTask(join(dir, "local/a"));
    const registries = [registry([demo])];
    await expect(findTasks(["demo@1", join(dir, "local")], { registries })).rejects.toThrow(
      /two tasks are named a: .* and .*local\/a/,
    );
    expect(namesOf(await find([demo, { ...demo, version: "2" }], "demo@2"))).toEqual(["a"]);
    expect(namesOf(await findTasks(["demo@1", "demo@1"], { registries }))).toEqual(["a"]);
  });

  it("is a folder of that name, if there is one", async () => {
    const { dir } = makePlace();
    writeTask(join(dir, "demo@1/x"));
    expect(namesOf(await findTasks([join(dir, "demo@1")], { registries: [] }))).toEqual(["x"]);
  });

  it("may declare metrics, which only warn", async () => {
    const { find, entry } = makePlace();
    const demo = { name: "demo", version: "1", tasks: [entry("a")], metrics: [{ type: "mean" }] };
    expect((await find([demo], "demo@1")).warnings).toEqual([
      expect.stringMatching(/^demo@1 declares the metric mean, which is the mean reward/),
    ]);
  });
});

describe("a task of a registry", () => {
  it("must have the digest that is given", async () => {
    const { find, entry, repository } = makePlace();
    const right = `sha256:${packageDigest(join(repository.dir, "suite/a"))}`;
    const wrong = `sha256:${"0".repeat(64)}`;
    const dataset = (digest: string) => [
      { name: "demo", version: "1", tasks: [entry("a", { digest })] },
    ];
    const { tasks } = await find(dataset(right), "demo@1");
    expect(tasks[0]?.origin?.digest).toBe(right);
    await expect(find(dataset(wrong), "demo@1")).rejects.toMatchObject({
      code: "task_unreadable",
      message: expect.stringMatching(
        /registry\.json:\d+: datasets\[0\]\.tasks\[0\]\.digest is sha256:0{64}, but .* has sha256:/,
      ),
    });
  });

  it.each([
    [{ path: "../outside" }, "path is ../outside, which could lead out of"],
    [{ path: "/etc" }, "path is /etc, which could lead out of"],
    [{ path: ".git/hooks" }, "path is .git/hooks, which could lead out of"],
    [{ path: "nowhere" }, "path is nowhere of file:"],
    [{ path: "sly" }, "which leads out of the repository"],
    [
      { path: "linked" },
      "which contains a link that leads out of the repository: linked/again -> ",
    ],
    [{ git_url: "ext::sh -c id" }, "git_url names a transport that runs a program"],
    [{ git_url: "ext::id" }, "git_url names a transport that runs a program"],
    [{ git_url: "--upload-pack=id" }, "git_url is not a git URL"],
    [{ git_url: "http://example.com/x.git" }, "git_url must start with https://"],
    [{ git_commit_id: "main" }, 'git_commit_id must be a whole commit id or "head", not "main"'],
    [{ git_commit_id: "--all" }, "git_commit_id must be a whole commit id"],
    [{ path: undefined }, "path is missing"],
  ])("is refused: %j", async (change, problem) => {
    const { find, entry, repository, dir } = makePlace();
    writeFiles(dir, { "outside/secret": "x", ...taskFiles("outside") });
    repository.commit(taskFiles("linked"));
    repository.link("sly", join(dir, "outside"));
    repository.link("linked/secret", join(dir, "outside/secret"));
    repository.link("linked/again", "secret");
    const git_commit_id = repository.commit();
    const tasks = [entry("a"), entry("x", { git_commit_id, ...change })];
    const demo = [{ name: "demo", version: "1", tasks }];
    await expect(find(demo, "demo@1")).rejects.toMatchObject({
      code: "task_unreadable",
      message: expect.stringContaining(problem),
    });
    const { unreadable, ...found } = await find(demo, "demo@1", { skipUnreadable: true });
    expect(found.tasks.map(({ name }) => name)).toEqual(["a"]);
    expect(unreadable).toMatchObject([{ problem: expect.stringContaining(problem) }]);
  });
});

describe("a task with files on a Git LFS server", () => {
  it("is refused where they can't be fetched from there", async () => {
    const { find, entry, repository } = makePlace();
    vi.stubEnv("GIT_CONFIG_GLOBAL", "/dev/null");
    vi.stubEnv("GIT_CONFIG_NOSYSTEM", "1");
    const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n";
    const git_commit_id = repository.commit({
      ...taskFiles("suite/large", { "environment/files/a.bin": pointer }),
      "suite/.gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n",
    });
    const tasks = ["a", "large"].map((name) => entry(name, { git_commit_id }));
    const found = await find([{ name: "x", version: "1", tasks }], "x@1", { skipUnreadable: true });
    expect(namesOf(found)).toEqual(["a"]);
    expect(found.unreadable[0]?.problem).toContain(
      "which needs Git LFS for suite/large/environment/files/a.bin: install git-lfs",
    );
  });
});

describe("a dataset file", () => {
  it("may list folders of repositories beside local ones", async () => {
    const { dir, entry, url, id } = makePlace();
    writeTask(join(dir, "local"));
    writeFileSync(join(dir, "list.json"), JSON.stringify(["local", entry("a")]));
    const { tasks, datasets } = await findTasks([join(dir, "list.json")]);
    expect(tasks.map(({ name }) => name)).toEqual(["a", "local"]);
    expect(tasks.map(({ origin }) => origin)).toEqual([
      { dataset: null, digest: null, git: { url, id, path: "suite/a" } },
      undefined,
    ]);
    expect(datasets).toEqual([]);
    expect(basename(tasks[0]?.dir ?? "")).toBe("a");
  });
});

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { GitFetcher } from "../../../src/task/git/fetcher.js";
import { makeRepository } from "../../support/repository.js";
import { makeCachedPlace } from "../cache.js";

const FILES = {
  "README.md": "all\n",
  "tasks/a/task.toml": "a\n",
  "tasks/b/task.toml": "b\n",
  "other/big": "big\n",
  'odd [1]* "name"/file': "odd\n",
};

function makePlace() {
  const place = makeCachedPlace();
  const repository = makeRepository(join(place.dir, "repo"));
  const id = repository.commit(FILES);
  const said: string[] = [];
  const warnings: string[] = [];
  const fetcher = new GitFetcher({
    progress: (text) => said.at(-1) !== text && said.push(text),
    warning: (text) => warnings.push(text),
  });
  onTestFinished(() => fetcher.close());
  const commit = { url: repository.url, id };
  return { ...place, repository, id, commit, fetcher, said, warnings };
}

const filesIn = (dir: string) =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1))
    .filter((name) => !name.startsWith(".git/"))
    .sort();

describe("a checkout", () => {
  it("has the folders that are asked for, and of the others nothing but the root's files", async () => {
    const { fetcher, commit } = makePlace();
    const dir = await fetcher.checkout(commit, ["tasks/a", 'odd [1]* "name"']);
    expect(filesIn(dir)).toEqual(["README.md", 'odd [1]* "name"/file', "tasks/a/task.toml"]);
    // The other files weren't even transferred.
    const args = ["-C", dir, "cat-file", "--batch-check", "--batch-all-objects"];
    const objects = execFileSync("git", args, { encoding: "utf8" });
    expect(objects.match(/ blob /g)).toHaveLength(3);
  });

  it("has everything for the root, and only its files for no folder", async () => {
    const { fetcher, commit } = makePlace();
    expect(filesIn(await fetcher.checkout(commit, [""]))).toEqual(Object.keys(FILES).sort());
    rmSync(process.env.XDG_CACHE_HOME as string, { recursive: true });
    expect(filesIn(await fetcher.checkout(commit, []))).toEqual(["README.md"]);
  });

  it("is of that commit, not of the latest", async () => {
    const { fetcher, commit, repository } = makePlace();
    repository.commit({ "tasks/a/task.toml": "changed\n" });
    const dir = await fetcher.checkout(commit, ["tasks/a"]);
    expect(readFileSync(join(dir, "tasks/a/task.toml"), "utf8")).toBe("a\n");
  });

  it("is taken from the cache without the repository, also for a part of it", async () => {
    const { fetcher, commit, repository, said } = makePlace();
    const dir = await fetcher.checkout(commit, ["tasks"]);
    repository.goAway();
    said.length = 0;
    expect(await fetcher.checkout(commit, ["tasks"])).toBe(dir);
    expect(await fetcher.checkout(commit, ["tasks/b", "tasks/a"])).toBe(dir);
    expect(said).toEqual([]);
    await expect(fetcher.checkout(commit, ["tasks", "other"])).rejects.toMatchObject({
      code: "infra",
      message: expect.stringMatching(/file:.*\/repo at [0-9a-f]{10} can't be fetched: .*repo/),
      hint: expect.stringContaining("works without a network"),
    });
  });

  it.each<[string, (dir: string) => void]>([
    ["a changed file", (dir) => writeFileSync(join(dir, "tasks/a/task.toml"), "evil\n")],
    ["a missing file", (dir) => rmSync(join(dir, "tasks/a/task.toml"))],
    ["an additional file", (dir) => writeFileSync(join(dir, "tasks/a/new.pyc"), "")],
    ["no .git", (dir) => rmSync(join(dir, ".git"), { recursive: true })],
    ["a broken index", (dir) => writeFileSync(join(dir, ".git/index"), "x")],
    ["another commit", (dir) => writeFileSync(join(dir, ".git/HEAD"), `${"0".repeat(40)}\n`)],
    ["no list of folders", (dir) => rmSync(join(dir, "../paths.json"))],
  ])("with %s is fetched again", async (_, damage) => {
    const { fetcher, commit } = makePlace();
    const dir = await fetcher.checkout(commit, ["tasks/a"]);
    damage(dir);
    expect(await fetcher.checkout(commit, ["tasks/a"])).toBe(dir);
    expect(filesIn(dir)).toEqual(["README.md", "tasks/a/task.toml"]);
    expect(readFileSync(join(dir, "tasks/a/task.toml"), "utf8")).toBe("a\n");
  });

  it("leaves nothing half-made when it fails", async () => {
    const { fetcher, commit, cache } = makePlace();
    const unknown = { ...commit, id: "1".repeat(40) };
    await expect(fetcher.checkout(unknown, ["tasks"])).rejects.toMatchObject({ code: "infra" });
    expect(readdirSync(join(cache, "tmp"))).toEqual([]);
    expect(existsSync(join(cache, "repositories"))).toBe(false);
  });

  it("is the same for several who fetch it at once", async () => {
    const { fetcher, commit, cache } = makePlace();
    const dirs = await Promise.all([1, 2, 3, 4].map(() => fetcher.checkout(commit, ["tasks"])));
    expect(new Set(dirs).size).toBe(1);
    expect(readdirSync(join(cache, "tmp"))).toEqual([]);
    expect(readFileSync(join(dirs[0] as string, "tasks/b/task.toml"), "utf8")).toBe("b\n");
  });

  it("runs no hooks, and is of no repository that the environment names", async () => {
    const { fetcher, commit, dir } = makePlace();
    const hooks = join(dir, "hooks");
    mkdirSync(hooks);
    writeFileSync(join(hooks, "post-checkout"), `#!/bin/sh\ntouch ${dir}/ran\n`, { mode: 0o755 });
    writeFileSync(join(dir, "config"), `[core]\n\thooksPath = ${hooks}\n`);
    vi.stubEnv("GIT_CONFIG_GLOBAL", join(dir, "config"));
    vi.stubEnv("GIT_DIR", "/nowhere");
    await fetcher.checkout(commit, ["tasks"]);
    expect(existsSync(join(dir, "ran"))).toBe(false);
  });
});

describe("the commit of a name", () => {
  it("is the latest one, and the one before when nobody answers", async () => {
    const { fetcher, repository, id, warnings } = makePlace();
    const next = new GitFetcher({ progress: () => {}, warning: (text) => warnings.push(text) });
    onTestFinished(() => next.close());
    expect(await fetcher.commitOf(repository.url, "HEAD")).toBe(id);
    repository.goAway();
    expect(await next.commitOf(repository.url, "HEAD")).toBe(id);
    expect(warnings).toEqual([
      expect.stringMatching(/^file:.*\/repo can't be reached \(.*\): using its HEAD of \d{4}-/),
    ]);
    await expect(next.commitOf(repository.url, "refs/heads/main")).rejects.toMatchObject({
      code: "infra",
    });
  });

  it("must exist", async () => {
    const { fetcher, repository, id } = makePlace();
    expect(await fetcher.commitOf(repository.url, "refs/heads/main")).toBe(id);
    await expect(fetcher.commitOf(repository.url, "refs/heads/gone")).rejects.toMatchObject({
      code: "usage",
      message: expect.stringMatching(/repo has no refs\/heads\/gone$/),
    });
  });
});

import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RunRecord } from "../../src/events/records.js";
import { makeRepository, taskFiles } from "../support/repository.js";
import { until } from "../support/until.js";
import { makePlace, QUICK, startRun, termRun } from "./cli.js";
import { runCommand } from "./command.js";
import { findProcesses } from "./traces.js";

/** A registry with one dataset in a repository, and a cache, both in the place. */
function makeRegistry() {
  const place = makePlace();
  const repository = makeRepository(join(place.dir, "repo"));
  const id = repository.commit({
    ...taskFiles("suite/a"),
    ...taskFiles("suite/b", { "task.toml": '[task]\nname = "org/b"\n' }),
  });
  const { url } = repository;
  const tasks = ["a", "b"].map((name) => {
    return { name, path: `suite/${name}`, git_url: url, git_commit_id: id };
  });
  const registry = join(place.dir, "registry.json");
  const demo = { name: "org/demo", version: "1.0", description: "A demo.", tasks };
  const write = (...more: object[]) => writeFileSync(registry, JSON.stringify([demo, ...more]));
  write();
  const cache = join(place.dir, "cache");
  Object.assign(place.env, { XDG_CACHE_HOME: cache, TERM_RUN_REGISTRY: registry });
  return { place, repository, id, url, registry, cache, write, tasks };
}

const readRecord = (text: (path: string) => string) => JSON.parse(text("run.json")) as RunRecord;

describe("term-run dataset", () => {
  it("lists and shows what a registry has, for people and programs", async () => {
    const { place, registry, url, id, write } = makeRegistry();
    write({ name: "org/demo", version: "2.0", description: "More.", tasks: [] });
    const list = await runCommand(place, "dataset", "list");
    expect(list).toMatchObject({ exitCode: 0, stderr: "" });
    expect(list.stdout.split("\n")).toEqual([
      registry,
      "name      versions  tasks  description",
      "──────────────────────────────────────",
      "org/demo  1.0, 2.0      0  More.",
    ]);
    const json = await runCommand(place, "dataset", "list", "--registry", registry, "--json");
    expect(JSON.parse(json.stdout)).toMatchObject([
      { name: "org/demo", version: "1.0", description: "A demo.", registry, tasks: 2 },
      { name: "org/demo", version: "2.0", tasks: 0 },
    ]);
    const show = await runCommand(place, "dataset", "show", "org/demo@1.0");
    expect(show.stdout).toMatch(/^org\/demo@1\.0 {2}2 tasks\nA demo\.\n/);
    expect(show.stdout).toMatch(new RegExp(`^a +suite/a +file:.* +${id.slice(0, 10)}$`, "m"));
    const shown = await runCommand(place, "dataset", "show", "org/demo==1.0", "--json");
    expect(JSON.parse(shown.stdout).tasks[1]).toEqual({
      task: "b",
      path: "suite/b",
      git_url: url,
      git_ref: id,
      digest: null,
    });
  });

  it("fetches into the cache and prints the folder, which then needs no repository", async () => {
    const { place, repository, cache } = makeRegistry();
    const first = await runCommand(place, "dataset", "fetch", "org/demo@1.0");
    expect(first.exitCode).toBe(0);
    expect(first.stderr).toMatch(/^term-run: fetching 2 folders of file:.*\/repo at [0-9a-f]{10}$/);
    expect(first.stdout.startsWith(join(cache, "term-run/datasets/"))).toBe(true);
    expect(readdirSync(first.stdout)).toEqual(["a", "b"]);
    repository.goAway();
    const again = await runCommand(place, "dataset", "fetch", "org/demo");
    expect(again).toEqual({ exitCode: 0, stdout: first.stdout, stderr: "" });
  });

  it("fetches the same for two processes at once, and leaves nothing half-made", async () => {
    const { place, cache } = makeRegistry();
    const fetch = () => runCommand(place, "dataset", "fetch", "org/demo@1.0");
    const ended = await Promise.all([fetch(), fetch(), fetch()]);
    expect(ended.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
    expect(new Set(ended.map(({ stdout }) => stdout)).size).toBe(1);
    expect(readdirSync(join(cache, "term-run/datasets/tmp"))).toEqual([]);
    const { stdout } = await runCommand(place, "dataset", "fetch", "org/demo@1.0");
    expect(stdout).toBe(ended[0]?.stdout);
  });

  it("says what can't be fetched, or can't be used, and what to do", async () => {
    const { place, repository, write, url, tasks } = makeRegistry();
    const digest = `sha256:${"0".repeat(64)}`;
    write({ name: "wrong", version: "1", tasks: [{ ...tasks[0], digest }, tasks[1]] });
    const wrong = await runCommand(place, "dataset", "fetch", "wrong@1");
    expect(wrong.exitCode).toBe(2);
    expect(wrong.stderr).toMatch(
      /term-run: a can't be read: .*digest is sha256:0+, but .* has sha256:/,
    );
    repository.goAway();
    rmSync(place.env.XDG_CACHE_HOME as string, { recursive: true });
    const gone = await runCommand(place, "dataset", "fetch", "org/demo@1.0");
    expect(gone.exitCode).toBe(3);
    expect(gone.stderr).toContain(`${url} at `);
    expect(gone.stderr).toMatch(
      /can't be fetched: .*does not (exist|appear to be a git repository)/,
    );
    expect(gone.stderr).toMatch(/\n {2}Check the URL, the commit, and the network\./);
    const unknown = await runCommand(place, "dataset", "show", "org/dmeo");
    expect(unknown.exitCode).toBe(2);
    expect(unknown.stderr).toMatch(
      /there is no dataset org\/dmeo in .*\n {2}Did you mean org\/demo\?/,
    );
    for (const { stderr } of [wrong, gone, unknown]) expect(stderr).not.toMatch(/^\s+at /m);
  });

  it("leaves nothing behind when it is killed", async () => {
    const { place, cache, write, tasks } = makeRegistry();
    const started = join(place.dir, "started");
    // A server that takes the connection and never answers.
    place.env.GIT_SSH_COMMAND = `touch ${started}; exec sleep 1000 #`;
    write({
      name: "far",
      version: "1",
      tasks: [{ ...tasks[0], git_url: "git@far.invalid:x.git" }],
    });
    const run = startRun(["far@1", "--agent", "nop"], place);
    await until(() => existsSync(started), { what: "the connection" });
    run.kill();
    await run.ended;
    await until(async () => (await findProcesses(place.mark)).length === 0, {
      what: "the end of git",
    });
    const tmp = join(cache, "term-run/datasets/tmp");
    await until(() => readdirSync(tmp).length === 0, { what: "an empty folder" });
  });
});

describe.skipIf(!QUICK)("a run of a dataset", () => {
  const ARGS = ["org/demo@1.0", "--agent", "oracle", "--sandbox", QUICK];

  it("records where its tasks are from, and reports show it", async () => {
    const { place, registry, url, id } = makeRegistry();
    const { exitCode, text, summary } = await termRun([...ARGS, "--exclude", "b"], place);
    expect(exitCode).toBe(0);
    expect(summary().pass_rate).toMatchObject({ passed: 1, of: 1 });
    const record = readRecord(text);
    expect(record.datasets).toEqual([{ name: "org/demo", version: "1.0", registry }]);
    expect(record.tasks).toMatchObject([
      {
        task: "a",
        origin: {
          dataset: "org/demo@1.0",
          digest: null,
          git_url: url,
          git_commit_id: id,
          path: "suite/a",
        },
      },
    ]);
    const report = await runCommand(place, "report", place.out, "--reporter", "markdown=r.md");
    expect(report.exitCode).toBe(0);
    expect(readFileSync(join(place.dir, "r.md"), "utf8")).toContain("on <code>org/demo@1.0</code>");
  });

  it("is resumed from the cache, and fetched again if that is gone", async () => {
    const { place, repository, registry, cache } = makeRegistry();
    await termRun(ARGS, place);
    const redo = (trial: string) => rmSync(join(place.out, "trials", trial, "result.json"));
    rmSync(registry);
    repository.goAway();
    redo("a.1");
    const offline = await termRun(["--resume", place.out], place);
    expect(offline.stderr).toBe("");
    expect(offline.summary().pass_rate).toMatchObject({ passed: 2, of: 2 });

    rmSync(cache, { recursive: true });
    redo("org__b.1");
    const lost = await termRun(["--resume", place.out], place);
    expect(lost.exitCode).toBe(3);
    expect(lost.stderr).toContain("can't be fetched");
    repository.comeBack();
    const again = await termRun(["--resume", place.out], place);
    expect(again.stderr).toMatch(/^term-run: fetching 2 folders of /);
    expect(again.summary().pass_rate).toMatchObject({ passed: 2, of: 2 });
  });

  it("leaves out what can't be read, if asked to, and says so everywhere", async () => {
    const { place, repository, write, tasks } = makeRegistry();
    const git_commit_id = repository.commit(
      taskFiles("suite/odd", { "task.toml": "[agent]\ntimeout_sec = soon\n" }),
    );
    const odd = { ...tasks[0], name: "odd", path: "suite/odd", git_commit_id };
    write({ name: "mixed", version: "1", tasks: [...tasks, odd] });
    const args = ["mixed@1", "--agent", "oracle", "--sandbox", QUICK];
    const refused = await termRun(args, place);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toMatch(/a task can't be read:\n.*\/odd\/task\.toml:2:/);
    const run = await termRun([...args, "--skip-unreadable"], place);
    expect(run.exitCode).toBe(0);
    expect(run.summary()).toMatchObject({ pass_rate: { passed: 2, of: 2 }, unreadable: ["odd"] });
    expect(readRecord(run.text).unreadable).toEqual([
      {
        task: "odd",
        dir: expect.stringMatching(/\/suite\/odd$/),
        problem: expect.stringMatching(/\/suite\/odd\/task\.toml:2:\d+: /),
      },
    ]);
    const warning = /odd can't be read and is left out: .*task\.toml:2:\d+: /;
    expect(run.stdout).toMatch(warning);
    expect(run.text("events.jsonl")).toMatch(warning);
    expect(run.stdout).toContain("left out as unreadable: 1 task (odd)");
  });
});

import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { makeTasks, writeStoredRun } from "../support/stored-run.js";
import { HELLO, makePlace, QUICK, termRun } from "./cli.js";
import { inPlace, runCommand } from "./command.js";
import { writeTask } from "./tasks.js";

function makeRuns() {
  const place = makePlace();
  const write = (run: string, failed: number, more = {}) =>
    writeStoredRun(inPlace(place, run), { run, tasks: makeTasks(40, failed), ...more });
  write("before", 0, { costUsd: 0.5 });
  write("one-lost", 1, { costUsd: 0.5 });
  write("ten-lost", 10, { costUsd: 0.7, limits: { max_steps: 50 } });
  return { place, write };
}

describe("compare", () => {
  it("tells a regression from chance", async () => {
    const { place } = makeRuns();
    const { exitCode, stdout, stderr } = await runCommand(
      place,
      "compare",
      "before",
      "one-lost",
      "ten-lost",
    );
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toContain("no difference you can trust: −2.5 points, p = 1");
    expect(stdout).toContain("ten-lost is worse than before: −25.0 points, p = 0.0039");
    expect(stdout).toContain("10 tasks lower, 0 higher, 30 the same");
    expect(stdout).toContain("the smallest difference found with 80 % power");
    expect(stdout).toContain("not made under the same rules: max_steps 100 → 50");
  });

  it("prints JSON and Markdown", async () => {
    const { place } = makeRuns();
    const json = await runCommand(place, "compare", "before", "ten-lost", "--json");
    const { comparisons } = JSON.parse(json.stdout);
    expect(comparisons).toHaveLength(1);
    expect(comparisons[0]).toMatchObject({
      verdict: "worse",
      difference: { value: -0.25, level: 0.95 },
      test: { method: "exact", comparisons: 1 },
      tasks: { higher: 0, lower: 10, equal: 30 },
    });
    const markdown = await runCommand(place, "compare", "before", "ten-lost", "--markdown");
    expect(markdown.stdout).toMatch(/^\*\*ten-lost is worse than before/);
    expect(markdown.stdout).toContain("| cost per trial |");
  });

  it("refuses tasks that changed in between, unless an option allows it", async () => {
    const { place, write } = makeRuns();
    const tasks = makeTasks(40).map((task, index) =>
      index === 0 ? { ...task, digest: "new" } : task,
    );
    write("changed", 0, { tasks });
    const refused = await runCommand(place, "compare", "before", "changed");
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain("different versions of these tasks: task-01");
    expect(refused.stderr).toContain("--allow-different-tasks");
    const allowed = await runCommand(
      place,
      "compare",
      "before",
      "changed",
      "--allow-different-tasks",
    );
    expect(allowed.exitCode).toBe(0);
    expect(allowed.stdout).toContain("the files of these tasks differ: task-01");
  });

  it.each([
    [["compare", "before"], "missing required argument 'runs'"],
    [["compare", "before", "nowhere"], "nowhere is not a run"],
    [["compare", "before", "one-lost", "--alpha", "2"], "must be a number between 0 and 1"],
    [["compare", "before", "one-lost", "--json", "--markdown"], "can't be used together"],
  ])("exit code 2: %j", async (args, message) => {
    const { place } = makeRuns();
    const { exitCode, stderr } = await runCommand(place, ...args);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });

  it("has examples in its help", async () => {
    const { stdout } = await runCommand(makePlace(), "compare", "--help");
    expect(stdout).toContain("term-run compare runs/before runs/after");
  });
});

describe.skipIf(!QUICK)("--baseline", () => {
  const args = (place: ReturnType<typeof makePlace>, agent: string, ...flags: string[]) => [
    ...["a", "b", "c", "d", "e", "f"].map((name) => inPlace(place, `tasks/${name}`)),
    "--agent",
    agent,
    "--sandbox",
    QUICK,
    "--concurrency",
    "2",
    ...flags,
  ];
  const writeTasks = () => {
    const place = makePlace();
    for (const name of ["a", "b", "c", "d", "e", "f"])
      writeTask(place, name, {
        "tests/test.sh": "#!/bin/sh\ntest -e done\n",
        "solution/solve.sh": "touch done\n",
      });
    return place;
  };

  it("fails only when the run is worse", async () => {
    const place = writeTasks();
    const good = await termRun(args(place, "oracle"), place);
    expect(good.summary().pass_rate).toMatchObject({ passed: 6, of: 6 });
    const again = { ...place, out: `${place.out}-again` };
    const same = await termRun(args(place, "oracle", "--baseline", place.out), again);
    expect(same.exitCode).toBe(0);
    expect(same.stdout).toContain("baseline: no drop you can trust");
    const bad = { ...place, out: `${place.out}-bad` };
    const worse = await termRun(args(place, "nop", "--baseline", place.out), bad);
    expect(worse.exitCode).toBe(1);
    expect(worse.stdout).toContain("baseline: worse: −100.0 points on these tasks, p = 0.016");
  });

  it("can depend on the size of the drop alone", async () => {
    const place = writeTasks();
    const few = (agent: string, ...flags: string[]) => args(place, agent, "-i", "a", ...flags);
    await termRun(few("oracle"), place);
    const other = (name: string) => ({ ...place, out: `${place.out}-${name}` });
    const chance = await termRun(few("nop", "--baseline", place.out), other("chance"));
    expect(chance.exitCode).toBe(0);
    const drop = await termRun(
      few("nop", "--baseline", place.out, "--max-drop", "10%"),
      other("drop"),
    );
    expect(drop.exitCode).toBe(1);
    expect(drop.stdout).toContain("−100.0 points, and --max-drop allows −10.0 points");
  });

  it("notices a total collapse of 5 tasks × 3, and passes the same agent", async () => {
    const place = writeTasks();
    const few = (agent: string, ...flags: string[]) =>
      args(place, agent, "-x", "f", "--attempts", "3", ...flags);
    await termRun(few("oracle"), place);
    const other = (name: string) => ({ ...place, out: `${place.out}-${name}` });
    const same = await termRun(few("oracle", "--baseline", place.out), other("same"));
    expect(same.exitCode).toBe(0);
    const both = ["--baseline", place.out, "--baseline", other("same").out];
    const collapse = await termRun(few("nop", ...both), other("collapse"));
    expect(collapse.exitCode).toBe(1);
    expect(collapse.stdout).toContain("baseline: worse: −100.0 points");
    expect(collapse.stdout).toContain("lost: a (6/6 → 0/3)");
    const twice = [place.out, place.out].flatMap((dir) => ["--baseline", dir]);
    const refused = await termRun(few("nop", ...twice), other("refused"));
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain("are the same run");
  });

  it("is checked before anything runs", async () => {
    const place = makePlace();
    const baseline = writeStoredRun(inPlace(place, "old"), {
      tasks: [{ task: "hello-world", outcomes: ["passed"], digest: "old" }],
    });
    const run = await termRun(
      [HELLO, "--agent", "oracle", "--sandbox", QUICK, "--baseline", baseline],
      place,
    );
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain("has other versions of these tasks: hello-world");
    expect(existsSync(place.out)).toBe(false);
    const alone = await termRun([HELLO, "--agent", "nop", "--max-drop", "5%"]);
    expect(alone.exitCode).toBe(2);
    expect(alone.stderr).toContain("--alpha and --max-drop need a --baseline");
  });
});

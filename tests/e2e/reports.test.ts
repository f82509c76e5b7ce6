import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { describe, expect, test } from "vitest";
import { makeFolder, type StoredTrial, writeRun } from "../report/stored-run.js";
import { HELLO, makePlace, type Place, QUICK, termRun } from "./cli.js";

const MAIN = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

/** The built program, as it is; without the variables of a CI that these tests run in. */
function cli(args: string[], options: { cwd?: string; env?: Record<string, string> } = {}) {
  const env = { GITHUB_ACTIONS: "", GITHUB_STEP_SUMMARY: "", ...options.env };
  return execa(process.execPath, [MAIN, ...args], {
    ...options,
    env,
    reject: false,
    stdin: "ignore",
  });
}

const trials: StoredTrial[] = [
  { task: "good", steps: [{ text: "hm", command: "ls", output: "x" }] },
  { task: "bad", outcome: "failed", verifier: "1 failed" },
];

describe("term-run report", () => {
  test("files in the run's folder, or at the given paths", async () => {
    const dir = writeRun(makeFolder(), trials);
    const ended = await cli(["report", dir, "--reporter", "html,junit=ci/j.xml,markdown"], {
      cwd: dir,
    });
    expect(ended.stderr).toBe("");
    expect(ended.exitCode).toBe(0);
    expect(ended.stdout.split("\n").sort()).toEqual([
      "wrote ci/j.xml",
      "wrote report.html",
      "wrote report.md",
    ]);
    expect(readFileSync(join(dir, "report.html"), "utf8")).toMatch(/<\/html>\n$/);
    expect(readFileSync(join(dir, "ci/j.xml"), "utf8")).toMatch(/<\/testsuites>\n$/);
    expect(readFileSync(join(dir, "report.md"), "utf8")).toContain("pass rate 50.0 % (1/2)");
    expect(existsSync(join(dir, "junit.xml"))).toBe(false);
  });

  test("the console by default, and the events with --json", async () => {
    const dir = writeRun(makeFolder(), trials);
    const shown = await cli(["report", dir]);
    expect(shown.stdout).toContain("✗ failed  bad.1");
    expect(shown.stdout).toContain("pass rate 50.0 % (1/2)");
    const events = await cli(["report", dir, "--json"]);
    const types = events.stdout.split("\n").map((line) => JSON.parse(line).type);
    expect(types.at(0)).toBe("run_started");
    expect(types.filter((type) => type === "trial_finished")).toHaveLength(2);
    expect(types.at(-1)).toBe("run_finished");
  });

  test("a run that was killed is reported as far as it got", async () => {
    const dir = writeRun(makeFolder(), [...trials, { task: "cut", unfinished: true }], {
      killed: true,
    });
    const { stdout, exitCode } = await cli(["report", dir, "--reporter", "console,junit,html"]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("interrupted: 2 of 3 trials");
    expect(readFileSync(join(dir, "junit.xml"), "utf8")).toContain("the trial never finished");
    expect(readFileSync(join(dir, "report.html"), "utf8")).toMatch(/<\/html>\n$/);
  });

  test.each([
    [["--reporter", "pdf"], "there is no reporter pdf"],
    [["--reporter", "console,json"], "console and json can't both write to stdout"],
  ])("%s is bad usage", async (args, message) => {
    const { exitCode, stderr } = await cli(["report", writeRun(makeFolder(), trials), ...args]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });

  test("a missing run, or nowhere to write, is reported", async () => {
    const dir = makeFolder();
    const none = await cli(["report", dir]);
    expect([none.exitCode, none.stderr]).toEqual([2, expect.stringContaining("is not a run")]);
    writeRun(dir, trials);
    const full = await cli(["report", dir, "--reporter", "html=/dev/null/x.html"]);
    expect(full.exitCode).toBe(3);
    expect(full.stderr).toContain("a report could not be written");
  });

  test("on GitHub the summary is written when asked for", async () => {
    const dir = writeRun(makeFolder(), trials);
    const env = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: join(dir, "step.md") };
    const { stdout } = await cli(["report", dir, "--reporter", "github"], { env });
    expect(stdout).toBe("::error title=bad::0 of 1 scored trials passed; failed");
    expect(readFileSync(join(dir, "step.md"), "utf8")).toContain("pass rate 50.0 %");
  });
});

describe("term-run export", () => {
  test.each([
    ["atif", ["bad.1.trajectory.json", "good.1.trajectory.json"]],
    ["asciinema", ["bad.1.cast", "good.1.cast"]],
    ["jsonl", ["trajectories.jsonl"]],
  ])("%s", async (format, files) => {
    const dir = writeRun(makeFolder(), trials);
    const { stdout, exitCode } = await cli(["export", dir, "--format", format], { cwd: dir });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(new RegExp(`^wrote \\d files? to export/${format}$`));
    expect(readdirSync(join(dir, "export", format)).sort()).toEqual(files);
  });
});

describe("term-run merge", () => {
  test("reports the whole, names missing trials, and fails because of them", async () => {
    const folder = makeFolder();
    const shard = (number: number) => ({ record: { shard: { number, of: 3, trials: 3 } } });
    const one = writeRun(join(folder, "one"), [trials[0] as StoredTrial], shard(1));
    const two = writeRun(join(folder, "two"), trials, shard(2));
    const out = join(folder, "whole");
    const ended = await cli(["merge", one, two, "--out", out, "--reporter", "junit,json=e.jsonl"], {
      cwd: folder,
    });
    expect(ended.exitCode).toBe(3);
    expect(ended.stdout).toContain("pass rate 50.0 % (1/2)");
    expect(ended.stdout).toContain("wrote whole/junit.xml");
    expect(ended.stderr.split("\n")).toEqual([
      `term-run: duplicate: good.1 is in ${one}, ${two}; the one in ${one} counts`,
      "term-run: gap: shard 3/3 is missing",
    ]);
    expect(existsSync(join(folder, "e.jsonl"))).toBe(true);
    expect((await cli(["merge", one, two, "--out", out])).exitCode).toBe(2);
  });

  test("a threshold applies to the whole", async () => {
    const folder = makeFolder();
    const one = writeRun(join(folder, "one"), trials);
    const merge = (name: string, share: string) =>
      cli(["merge", one, "--out", join(folder, name), "--fail-under", share]);
    expect((await merge("a", "50%")).exitCode).toBe(0);
    expect((await merge("b", "51%")).exitCode).toBe(1);
  });
});

describe.skipIf(QUICK === "")("with a real run", () => {
  const run = (args: string[], place?: Place) =>
    termRun(["--agent", "oracle", "--sandbox", QUICK, ...args], place);

  test("reports are in its folder when it ends", async () => {
    const ended = await run([HELLO, "--reporter", "html,junit,markdown"]);
    expect(ended.exitCode).toBe(0);
    expect(ended.stdout).toContain("✓ passed  hello-world.1");
    expect(ended.text("report.html")).toContain('id="t0"');
    expect(ended.text("junit.xml")).toContain('<testcase name="hello-world.1"');
    expect(ended.text("junit.xml")).toContain("--- step 1");
    expect(ended.text("report.md")).toContain("## ✅");
  });

  test("on GitHub the job's page gets the summary by default", async () => {
    const place = makePlace();
    const summary = join(place.dir, "step.md");
    place.env.GITHUB_ACTIONS = "true";
    place.env.GITHUB_STEP_SUMMARY = summary;
    const ended = await run([HELLO], place);
    expect(ended.stdout).toContain("✓ passed");
    expect(readFileSync(summary, "utf8")).toContain("## ✅");
  });

  test("shards add up to the whole", async () => {
    const whole = [HELLO, "--attempts", "3"];
    const parts = [];
    for (const number of [1, 2]) parts.push(await run([...whole, "--shard", `${number}/2`]));
    const folders = parts.map(({ place }) => place.out);
    const planned = async (...flags: string[]): Promise<string[]> => {
      const { stdout } = await run([...whole, "--dry-run", "--json", ...flags]);
      return JSON.parse(stdout).trials;
    };
    const all = await planned();
    const out = join(makeFolder(), "whole");
    const merged = await cli(["merge", ...folders, "--out", out]);
    expect(merged.stderr).toBe("");
    expect(merged.exitCode).toBe(0);
    expect(readdirSync(join(out, "trials")).sort()).toEqual(all.toSorted());
    const timed = await planned("--shard", "1/2", "--timings", out);
    expect(timed.length).toBeLessThan(all.length);
  });
});

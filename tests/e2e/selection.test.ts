import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HELLO, makePlace, QUICK, termRun } from "./cli.js";
import { writeTask } from "./tasks.js";

const NAMES = ["fix-it", "hello-world", "log-report"];

const SELECTIONS = [
  { flags: ["--include", "hello-*"], trials: ["hello-world.1"] },
  { flags: ["-i", "hello-*", "-i", "log-*"], trials: ["hello-world.1", "log-report.1"] },
  { flags: ["--exclude", "hello-*", "--exclude", "fix-*"], trials: ["log-report.1"] },
  {
    flags: ["--include", "{hello,log}-*", "--exclude", "log-*", "--attempts", "3"],
    trials: ["hello-world.1", "hello-world.2", "hello-world.3"],
  },
  {
    flags: ["--include", "{hello,log}-*", "-n", "2"],
    trials: ["hello-world.1", "log-report.1", "hello-world.2", "log-report.2"],
  },
];

describe("which trials are run", () => {
  it.each(SELECTIONS)("--dry-run $flags lists $trials", async ({ flags, trials }) => {
    const place = makePlace();
    for (const name of NAMES) writeTask(place, name);
    const args = [join(place.dir, "tasks"), "--agent", "nop", "--dry-run", "--json", ...flags];
    const run = await termRun(args, place);
    expect(JSON.parse(run.stdout).trials).toEqual(trials);
    expect(run.exitCode).toBe(0);
    expect(existsSync(place.out)).toBe(false);
  });

  it.skipIf(!QUICK)("--attempts 3 runs and scores each of them", async () => {
    const run = await termRun([HELLO, "-a", "oracle", "-s", QUICK, "--attempts", "3"]);
    const attempts = [1, 2, 3].map((number) => run.result(`hello-world.${number}`).attempt);
    expect(attempts).toEqual([1, 2, 3]);
    expect(run.summary().pass_rate).toMatchObject({ passed: 3, of: 3 });
  });
});

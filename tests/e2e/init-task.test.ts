import { join } from "node:path";
import { expect, it } from "vitest";
import { eachSandbox, makePlace } from "./cli.js";
import { runCommand } from "./command.js";
import { expectNoTraces } from "./traces.js";

eachSandbox("a new task", (sandbox) => {
  const kinds = sandbox === "docker" ? [[], ["--docker"]] : [[]];

  it.each(kinds)("passes the check as it is: %j", async (...flags) => {
    const place = makePlace();
    const made = await runCommand(place, "init", "task", "word-count", ...flags);
    expect(made).toMatchObject({ exitCode: 0, stderr: "" });
    expect(made.stdout).toContain("term-run check word-count");
    const checked = await runCommand(place, "check", "word-count", "-s", sandbox, "--json");
    expect(checked).toMatchObject({ exitCode: 0, stderr: "" });
    expect(JSON.parse(checked.stdout)).toMatchObject({
      ok: true,
      totals: { passed: 1, warnings: 0, skipped: 0 },
    });
    const ran = await runCommand(
      place,
      ...["word-count", "--agent", "oracle", "-s", sandbox],
      ...["--out", place.out],
    );
    expect(ran.exitCode).toBe(0);
    await expectNoTraces(place);
  });
});

it("an existing folder is left alone", async () => {
  const place = makePlace();
  const first = await runCommand(place, "init", "task", "mine", "--out", join(place.dir, "tasks"));
  expect(first.exitCode).toBe(0);
  const again = await runCommand(place, "init", "task", "mine", "--out", "tasks");
  expect(again.exitCode).toBe(2);
  expect(again.stderr).toContain("tasks/mine");
});

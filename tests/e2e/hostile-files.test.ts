import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { commandsAgent, eachSandbox, makePlace, termRun } from "./cli.js";
import { writeTask } from "./tasks.js";

const REWARD = "mkdir -p /logs/verifier; echo 1 >/logs/verifier/reward.txt";

eachSandbox("hostile files", (sandbox) => {
  it("harm neither their own trial nor the one beside it", async () => {
    const place = makePlace();
    writeTask(place, "hostile", {
      "task.toml": "",
      "tests/test.sh": `#!/bin/sh\n${REWARD}\ntruncate -s 300M /logs/verifier/a.log\n`,
    });
    writeTask(place, "innocent", { "task.toml": "", "tests/test.sh": `#!/bin/sh\n${REWARD}\n` });
    const files = [
      "cd /logs/artifacts",
      "truncate -s 600M big",
      "mkdir ro; echo x >ro/f; chmod 500 ro",
      "touch \"$(printf '\\377%.0s' $(seq 200))\"",
      "d=.; for i in $(seq 100); do d=$d/d; done; mkdir -p $d; touch $d/f",
      "echo kept >z",
    ];
    const flags = ["--sandbox", sandbox, "--concurrency", "2", "--artifact-limit", "depth=20"];
    const agent = commandsAgent(`case $PWD in *) ${files.join("; ")};; esac`);
    const run = await termRun([join(place.dir, "tasks"), "--agent", agent, ...flags], place);
    expect(run.summary().outcomes, run.stdout + run.stderr).toMatchObject({ passed: 2 });
    expect(run.text("trials/hostile.1/artifacts/logs/artifacts/z")).toBe("kept\n");
    const [entry] = JSON.parse(run.text("trials/hostile.1/artifacts/manifest.json"));
    const left = entry.left_out.entries as { path: string; reason: string }[];
    expect(left).toContainEqual({ path: "big", reason: "it is larger than 256 MiB" });
    expect(left.some(({ reason }) => reason.includes("20 folders deep"))).toBe(true);
    const notes = run.trialEvents("hostile.1").filter(({ type }) => type === "note");
    expect(JSON.stringify(notes)).toContain("a.log (it is larger than 256 MiB)");
  });

  it("can't hide a reward, nor can one be too large to be judged", async () => {
    const place = makePlace();
    const huge = "truncate -s 600M /logs/verifier/reward.json";
    mkdirSync(join(place.dir, "tasks"));
    writeTask(place, "huge", { "task.toml": "", "tests/test.sh": `#!/bin/sh\n${huge}\n` });
    writeTask(place, "behind", {
      "task.toml": "",
      "tests/test.sh": `#!/bin/sh\n${REWARD}\ncd /logs/verifier; truncate -s 300M a b c d e\n`,
    });
    const args = [join(place.dir, "tasks"), "--agent", "nop", "--sandbox", sandbox];
    const limit = ["--artifact-limit", "total=1M"];
    const run = await termRun([...args, ...limit], place);
    expect(run.result("behind.1").outcome, run.stdout).toBe("passed");
    expect(run.result("huge.1")).toMatchObject({
      outcome: "verifier_error",
      error: { message: "reward.json is larger than 1 MiB" },
    });
  });
});

import { describe, expect, it } from "vitest";
import { docker } from "../sandbox/kinds.js";
import { checkFiles, problemsOf } from "./check.js";

const bubblewrap = process.env.TERM_RUN_TEST_BWRAP !== "skip";
const QUICK = bubblewrap ? "bubblewrap" : "docker";

/** Gives a random reward, whatever was done. */
const BY_CHANCE = `#!/bin/sh
[ -f answer.txt ] || exit 1
mkdir -p /logs/verifier
printf '0.%s' "$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')" >/logs/verifier/reward.txt
`;

describe.skipIf(!bubblewrap && !docker)("a task", () => {
  it("that is sound passes every point", async () => {
    const { report, task } = await checkFiles(QUICK, { sound: {} });
    expect(report).toMatchObject({ ok: true, sandbox: QUICK, totals: { passed: 1, warnings: 0 } });
    expect(task("sound").points.map(({ status }) => status)).toEqual(Array(8).fill("passed"));
  });

  it("whose solution does not solve it fails, with what the verifier printed", async () => {
    const { task, point } = await checkFiles(QUICK, {
      unsolved: {
        "tests/test.sh": "#!/bin/sh\ngrep -qx 42 answer.txt || { echo 'no 42'; exit 1; }\n",
        "solution/solve.sh": "#!/bin/sh\necho 41 >answer.txt\n",
      },
    });
    expect(task("unsolved").status).toBe("failed");
    expect(problemsOf(task("unsolved"))).toEqual({ oracle: "failed" });
    expect(point("unsolved", "oracle")).toMatchObject({
      seen: "failed (0); the verifier printed: no 42",
      fix: expect.stringContaining("solve.sh"),
    });
  });

  it("that passes when nothing was done fails", async () => {
    const { task } = await checkFiles(QUICK, { gift: { "tests/test.sh": "#!/bin/sh\nexit 0\n" } });
    expect(problemsOf(task("gift"))).toEqual({ nop: "failed" });
  });

  it("whose verifier breaks when nothing was done fails", async () => {
    const { task, point } = await checkFiles(QUICK, {
      fragile: {
        "tests/test.sh":
          "#!/bin/sh\n[ -f answer.txt ] || echo oops >/logs/verifier/reward.txt\nexit 0\n",
      },
    });
    expect(problemsOf(task("fragile"))).toEqual({ nop: "failed" });
    expect(point("fragile", "nop").seen).toContain("verifier_error");
  });

  it("that is judged by chance fails, with both rewards", async () => {
    const { task, point } = await checkFiles(QUICK, { chance: { "tests/test.sh": BY_CHANCE } });
    expect(problemsOf(task("chance"))).toMatchObject({ same_twice: "failed" });
    expect(point("chance", "same_twice").seen).toMatch(
      /^oracle: failed \(0\.\d+\), then failed \(0\.\d+\)/,
    );
  });

  it("without a solution fails, and so does one whose solution is empty", async () => {
    const { task, point } = await checkFiles(QUICK, {
      hopeless: { "solution/solve.sh": null },
      empty: { "solution/solve.sh": "" },
    });
    for (const name of ["hopeless", "empty"]) {
      expect(task(name).status).toBe("failed");
      expect(point(name, "oracle").status).toBe("failed");
    }
  });

  it("that can't be read does not keep the others from being checked", async () => {
    const { report, task, point } = await checkFiles(QUICK, {
      garbled: { "task.toml": "[agent\n" },
      sound: {},
    });
    expect(report.ok).toBe(false);
    expect(report.totals).toMatchObject({ unreadable: 1, passed: 1 });
    expect(task("garbled").status).toBe("unreadable");
    expect(point("garbled", "reads").seen).toMatch(/garbled\/task\.toml:1/);
  });

  it("with unknown fields, or files that the instruction doesn't name, gets warnings and passes", async () => {
    const { task, point } = await checkFiles(QUICK, {
      odd: {
        "task.toml": "[agent]\ntimeout_secs = 5\n[verifier]\nreward = 'exit-code'\n",
        "instruction.md": "Write down the answer.\n",
      },
    });
    expect(task("odd").status).toBe("passed");
    expect(problemsOf(task("odd"))).toEqual({ reads: "warning", names_files: "warning" });
    expect(point("odd", "reads").seen).toContain("timeout_sec");
    expect(point("odd", "names_files").seen).toContain("answer.txt");
  });
});

describe.skipIf(!bubblewrap)("in bubblewrap", () => {
  it("a task with an image is skipped, and its files are still checked", async () => {
    const { report, task, point } = await checkFiles("bubblewrap", {
      imaged: {
        "environment/Dockerfile": "FROM debian:bookworm-slim\nCOPY test.sh /opt/\n",
        "environment/test.sh": "#!/bin/sh\ngrep -qx 42 answer.txt\n",
      },
      plain: { "environment/Dockerfile": "FROM debian:bookworm-slim\n" },
    });
    expect(task("plain")).toMatchObject({
      status: "skipped",
      skipped: expect.stringContaining("image of its own"),
    });
    expect(point("plain", "oracle").status).toBe("not_run");
    expect(task("imaged").status).toBe("failed");
    expect(point("imaged", "dockerfile").seen).toBe(
      "Dockerfile:2 copies environment/test.sh, the same as tests/test.sh",
    );
    expect(report.totals).toMatchObject({ skipped: 1, failed: 1 });
  });
});

describe.skipIf(!docker)("in Docker", () => {
  it("finds tests that the image contains, and images that don't build", async () => {
    const { task, point } = await checkFiles("docker", {
      leaking: {
        "environment/Dockerfile": "FROM debian:bookworm-slim\nWORKDIR /app\nCOPY tests/ /tests/\n",
        "environment/tests/test.sh": "#!/bin/sh\ngrep -qx 42 answer.txt\n",
      },
      unbuilt: { "environment/Dockerfile": "FROM debian:bookworm-slim\nRUN exit 7\n" },
    });
    expect(problemsOf(task("leaking"))).toEqual({ hidden: "failed", dockerfile: "failed" });
    expect(point("leaking", "hidden").seen).toBe("the agent can read /tests/test.sh");
    expect(problemsOf(task("unbuilt"))).toEqual({ builds: "failed" });
    expect(point("unbuilt", "builds").seen).toContain("exit 7");
    expect(point("unbuilt", "oracle").status).toBe("not_run");
  });
});

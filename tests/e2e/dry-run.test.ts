import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makePlace, type Place, QUICK, termRun } from "./cli.js";
import { runCommand } from "./command.js";
import { writeTask } from "./tasks.js";

/** Tasks that run, are skipped by each of those who can refuse one, and can't be read. */
function writeTasks(place: Place): string {
  writeTask(place, "sound", { "task.toml": "[environment]\nmemory_gb = 1\nmcp_servers = []\n" });
  writeTask(place, "windows", { "task.toml": '[environment]\nos = "windows"\n' });
  writeTask(place, "imaged", { "task.toml": '[environment]\ndocker_image = "debian"\n' });
  writeTask(place, "broken", { "task.toml": "[agent]\ntimeout_sec = soon\n" });
  return join(place.dir, "tasks");
}

const NOTHING = "nothing was run (--dry-run)";

describe("--dry-run", () => {
  it.skipIf(QUICK !== "bubblewrap")("says what would be skipped and why, as a table", async () => {
    const place = makePlace();
    const args = [writeTasks(place), "-a", "nop", "-n", "2", "--dry-run", "--skip-unreadable"];
    const run = await termRun([...args, "-s", "bubblewrap"], place);
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toBe("");
    expect(run.stdout.split("\n")).toEqual([
      "task     attempts  plan",
      "─────────────────────────────",
      "broken   –         unreadable",
      "imaged   1–2       skipped",
      "sound    1–2       run",
      "windows  1–2       skipped",
      "",
      "- skipped by the sandbox: it needs an image of its own: run it with --sandbox docker",
      "    imaged",
      "- skipped: it needs Windows",
      "    windows",
      expect.stringMatching(/^\? broken can't be read: .*\/broken\/task\.toml:2:\d+: /),
      "! warning  sound: task.toml:2: environment.memory_gb is not a known field; did you mean memory_mb?",
      "",
      `2 trials would run, 4 would be skipped, 1 task can't be read: agent nop in bubblewrap; ${NOTHING}`,
    ]);
    expect(existsSync(place.out)).toBe(false);
  });

  it("says what a compose file asks for and can't have", async () => {
    const place = makePlace();
    const compose = "services:\n  db:\n    image: x\n    privileged: true\n";
    writeTask(place, "powerful", { "environment/docker-compose.yaml": compose });
    const tasks = join(place.dir, "tasks");
    const why = "docker-compose.yaml:4: services.db.privileged would give it all power";
    const plan = await termRun([tasks, "-a", "nop", "--dry-run"], place);
    expect(plan.exitCode).toBe(0);
    expect(plan.stdout).toContain(`- skipped: ${why}`);
    const check = await runCommand(place, "check", tasks, "-s", QUICK);
    expect(check.stdout).toContain(why);
  });

  it.skipIf(QUICK !== "bubblewrap")("says the same as JSON", async () => {
    const place = makePlace();
    const tasks = writeTasks(place);
    writeTask(place, "unsolved", { "solution/solve.sh": "" });
    const args = [tasks, "-a", "oracle", "--dry-run", "--json", "--exclude", "broken"];
    const run = await termRun([...args, "-s", "bubblewrap", "--env", "NOT_SET_ANYWHERE"], place);
    const task = (name: string, more: object) => {
      const rest = { skipped: null, warnings: [] };
      return { task: name, dir: join(tasks, name), attempts: [1], ...rest, ...more };
    };
    expect(JSON.parse(run.stdout)).toEqual({
      format_version: 1,
      agent: "oracle",
      sandbox: "bubblewrap",
      trials: ["imaged.1", "sound.1", "unsolved.1", "windows.1"],
      tasks: [
        task("imaged", {
          skipped: {
            by: "sandbox",
            reason: "it needs an image of its own: run it with --sandbox docker",
          },
        }),
        task("sound", { warnings: [expect.stringContaining("memory_gb is not a known field")] }),
        task("unsolved", {}),
        task("windows", { skipped: { by: "task", reason: "it needs Windows" } }),
      ],
      unreadable: [],
      warnings: ["--env NOT_SET_ANYWHERE: this variable is not set"],
    });
  });

  it("works without a sandbox, and says that it doesn't know what one refuses", async () => {
    const place = makePlace();
    place.env.DOCKER_HOST = `unix://${place.dir}/nowhere.sock`;
    const args = [writeTask(place, "sound"), "-a", "nop", "--dry-run", "-s", "docker"];
    const run = await termRun(args, place);
    expect(run.exitCode).toBe(0);
    expect(run.stdout).toMatch(/! warning {2}what the sandbox refuses isn't known: no Docker/);
    expect(run.stdout).toContain(`1 trial would run: agent nop; ${NOTHING}`);
  });
});

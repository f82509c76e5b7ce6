import { cpSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { makeTasks, writeStoredRun } from "../support/stored-run.js";
import { makePlace } from "./cli.js";
import { inPlace, runCommand } from "./command.js";

function makeRuns() {
  const place = makePlace();
  const write = (agent: string, failed: number, more = {}) =>
    writeStoredRun(inPlace(place, `runs/${agent}`), {
      run: agent,
      agent,
      tasks: makeTasks(40, failed),
      ...more,
    });
  write("best", 0);
  write("late", 20, { startedAt: "2030-06-01T00:00:00.000Z" });
  write("early", 22, { startedAt: "2030-02-01T00:00:00.000Z" });
  return { place, write };
}

describe("leaderboard", () => {
  it("ranks agents and writes four files", async () => {
    const { place } = makeRuns();
    const { exitCode, stdout } = await runCommand(place, "leaderboard", "runs", "--out", "site");
    expect(exitCode).toBe(0);
    const rows = stdout.split("\n").slice(2, 5);
    expect(rows.map((row) => row.trim().split(/ +/).slice(0, 2).join(" "))).toEqual([
      "1 best",
      "2–3 late",
      "2–3 early",
    ]);
    const read = (file: string) => readFileSync(inPlace(place, `site/${file}`), "utf8");
    expect(read("leaderboard.md")).toContain("| 2–3 | early |");
    expect(read("leaderboard.csv").split("\r\n")[1]).toMatch(/^1,1,1,best,/);
    expect(JSON.parse(read("leaderboard.json")).boards[0].entries).toHaveLength(3);
    expect(read("index.html")).toContain("<!doctype html>");
  });

  it("ranks runs that differ on boards of their own, and says in what", async () => {
    const { place, write } = makeRuns();
    write("slow", 0, { limits: { step_timeout_sec: 900 } });
    const apart = await runCommand(place, "leaderboard", "runs");
    expect(apart.exitCode).toBe(0);
    expect(apart.stdout).toContain("Board 2: 40 tasks");
    expect(apart.stdout).toContain("ranked apart: slow: step_timeout_sec is 900, but 300 in best");
    const allowed = await runCommand(place, "leaderboard", "runs", "--allow-mixed");
    expect(allowed.exitCode).toBe(0);
    expect(allowed.stdout).toContain("mixed: slow: step_timeout_sec is 900, but 300 in best");
  });

  it("leaves out built-in agents unless asked, and counts a copy once", async () => {
    const { place, write } = makeRuns();
    write("oracle", 0, { spec: "oracle" });
    cpSync(inPlace(place, "runs/best"), inPlace(place, "runs/copy"), { recursive: true });
    const { stdout } = await runCommand(place, "leaderboard", "runs");
    expect(stdout).toContain("3 agents on 40 tasks");
    expect(stdout).toContain("left out: 1 run of built-in agents");
    expect(stdout).toContain("given more than once, counted once: best");
    const all = await runCommand(place, "leaderboard", "runs", "--builtin");
    expect(all.stdout).toContain("4 agents on 40 tasks");
  });

  it("leaves out agents with too few attempts", async () => {
    const { place } = makeRuns();
    const { stdout } = await runCommand(place, "leaderboard", "runs", "--min-attempts", "3");
    expect(stdout).toContain("0 agents on 40 tasks, at least 3 scored trials of each");
    expect(stdout).toContain(
      "left out: best (best): a task has only 1 of 3 scored trials required",
    );
  });

  it("exit code 2 for a folder without runs", async () => {
    const { exitCode, stderr } = await runCommand(makePlace(), "leaderboard", ".");
    expect(exitCode).toBe(2);
    expect(stderr).toContain("there is no run in .");
  });
});

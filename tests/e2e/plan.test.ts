import { describe, expect, it } from "vitest";
import { makeTasks, writeStoredRun } from "../support/stored-run.js";
import { makePlace } from "./cli.js";
import { inPlace, runCommand } from "./command.js";

describe("plan", () => {
  it("says how many tasks and attempts show a change, as a table and a plot", async () => {
    const { exitCode, stdout } = await runCommand(
      makePlace(),
      ...["plan", "--detect", "5", "--rate", "70%", "--tasks", "80"],
    );
    expect(exitCode).toBe(0);
    expect(stdout).toContain("To find a change of 5.0 points with 80 % power (alpha 0.05):");
    expect(stdout).toMatch(/\n +5 +129 +645 +289 +1,445\n/);
    expect(stdout).toMatch(/\n +5 +6\.5 points +12\.4 points\n/);
    expect(stdout).toMatch(/660 tasks/);
  });

  it("takes the rate and the noise from a pilot", async () => {
    const place = makePlace();
    const tasks = makeTasks(20, 5).map((task, index) => ({
      ...task,
      outcomes: [...task.outcomes, index < 8 ? "failed" : "passed"] as ("passed" | "failed")[],
    }));
    writeStoredRun(inPlace(place, "pilot"), { tasks });
    const { stdout } = await runCommand(
      place,
      ...["plan", "--detect", "5%", "--pilot", "pilot", "--json"],
    );
    const { rate, noise, source, needed } = JSON.parse(stdout);
    expect(rate).toBeCloseTo(27 / 40, 12);
    // Three tasks passed once of two: 3 · 1 / 1, and one more; of 40 · p(1 − p).
    expect(noise).toBeCloseTo(4 / (40 * (27 / 40) * (13 / 40)), 12);
    expect(source).toEqual({ rate: "of the pilot", noise: "of the pilot" });
    expect(needed.map(({ attempts }: { attempts: number }) => attempts)).toEqual([1, 2, 3, 5, 10]);
  });

  it.each([
    [["plan"], "required option '--detect <points>'"],
    [["plan", "--detect", "5"], "give either --pilot or --rate"],
    [["plan", "--detect", "x", "--rate", "0.5"], "It must be a number of points"],
    [["plan", "--detect", "60", "--rate", "0.5"], "--detect must be smaller than the pass rate"],
  ])("exit code 2: %j", async (args, message) => {
    const { exitCode, stderr } = await runCommand(makePlace(), ...args);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });
});

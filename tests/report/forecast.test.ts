import { expect, test } from "vitest";
import { describeForecast } from "../../src/report/forecast.js";
import { createPalette } from "../../src/report/palette.js";
import type { Forecast, TaskForecast } from "../../src/runner/forecast.js";

function task(name: string, changes: Partial<TaskForecast> = {}): TaskForecast {
  return { task: name, dir: `/${name}`, attempts: [1], skipped: null, warnings: [], ...changes };
}

function describe(changes: Partial<Forecast>): string[] {
  const forecast: Forecast = {
    format_version: 1,
    agent: "nop",
    sandbox: "docker",
    trials: [],
    tasks: [],
    unreadable: [],
    warnings: [],
    ...changes,
  };
  return describeForecast(forecast, 80, createPalette(false));
}

test("a row for each task, then why some are skipped, left out or warned about", () => {
  const windows = { by: "task", reason: "it needs Windows" } as const;
  const tasks = [
    task("a", { attempts: [1, 2, 3, 5], warnings: ["task.toml:1: x is not a known field"] }),
    task("b", { skipped: windows }),
    task("c", { skipped: windows, attempts: [1, 2] }),
    task("d", { skipped: { by: "sandbox", reason: "it needs an image of its own" } }),
    task("e", { skipped: { by: "agent", reason: "it has no solution" } }),
  ];
  const unreadable = [{ task: "f", dir: "/f", problem: "/f/task.toml:2: agent.user must be x" }];
  expect(describe({ tasks, unreadable, warnings: ["using docker"] })).toEqual([
    "task  attempts  plan",
    "──────────────────────────",
    "f     –         unreadable",
    "a     1–3, 5    run",
    "b     1         skipped",
    "c     1–2       skipped",
    "d     1         skipped",
    "e     1         skipped",
    "",
    "- skipped: it needs Windows",
    "    b, c",
    "- skipped by the sandbox: it needs an image of its own",
    "    d",
    "- skipped by the agent: it has no solution",
    "    e",
    "? f can't be read: /f/task.toml:2: agent.user must be x",
    "! warning  using docker",
    "! warning  a: task.toml:1: x is not a known field",
    "",
    "4 trials would run, 5 would be skipped, 1 task can't be read: agent nop in docker; nothing was run (--dry-run)",
  ]);
});

test("nothing is odd, and no sandbox is available", () => {
  expect(describe({ tasks: [task("a")], sandbox: null })).toEqual([
    "task  attempts  plan",
    "────────────────────",
    "a     1         run",
    "",
    "1 trial would run: agent nop; nothing was run (--dry-run)",
  ]);
});

test("a table that is too long is cut; what is unreadable is in it", () => {
  const tasks = Array.from({ length: 1500 }, (_, number) => task(`t${number}`));
  const unreadable = [{ task: "z", dir: null, problem: "x" }];
  const lines = describe({ tasks, unreadable });
  expect(lines[2]).toMatch(/^z .* unreadable$/);
  expect(lines).toContain("… 501 more tasks; --json lists all");
});

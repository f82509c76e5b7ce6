import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import type { TrialResult } from "../../src/events/records.js";
import { createPalette } from "../../src/report/palette.js";
import { describeTasks } from "../../src/report/table.js";
import { summarize } from "../../src/score/summary.js";
import { makeResult } from "./events.js";

function draw(results: TrialResult[], columns = 100): string[] {
  const { tasks } = summarize({
    run: "r",
    agent: "a",
    startedAt: "2030-01-01T00:00:00Z",
    finishedAt: "2030-01-01T00:00:01Z",
    interrupted: false,
    planned: 0,
    results,
  });
  return describeTasks(tasks, results, columns, createPalette(false));
}

const usage = { models: [], input_tokens: 1, output_tokens: 1, cost_usd: 0.02 };
const mixed = [
  makeResult("日本語.1", "passed", { usage }),
  makeResult("日本語.2", "failed", { reward: 0.25, steps: 9, seconds: 100, usage }),
  makeResult("日本語.3", "infra_error", { usage }),
  makeResult("a-task-with-a-name-that-goes-on-and-on.1", "agent_timeout", { seconds: 4000 }),
  makeResult("a-task-with-a-name-that-goes-on-and-on.2", "invalid_output"),
  makeResult("a-task-with-a-name-that-goes-on-and-on.3", "max_steps"),
  makeResult("skipped.1", "skipped"),
];

test("several attempts", () => {
  expect(`\n${draw(mixed, 120).join("\n")}\n`).toMatchInlineSnapshot(`
    "
    task                                  passed  reward  outcomes                              avg steps  avg time     cost
    ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
    a-task-with-a-name-that-goes-on-and…     0/3       0  1 agent_timeout, 1 invalid_output, …          4   22m 14s        –
    skipped                                  0/0       –  skipped                                       –         –        –
    日本語                                   1/2    0.63  1 passed, 1 failed, 1 infra_error           6.5     50.6s  $0.0600
    "
  `);
});

test("60 columns", () => {
  expect(`\n${draw(mixed, 60).join("\n")}\n`).toMatchInlineSnapshot(`
    "
    task                  passed  outcomes                  cost
    ────────────────────────────────────────────────────────────
    a-task-with-a-name-…     0/3  1 agent_timeout, 1 i…        –
    skipped                  0/0  skipped                      –
    日本語                   1/2  1 passed, 1 failed, …  $0.0600
    "
  `);
});

describe("no line is wider than the screen", () => {
  test.each([40, 60, 80, 100, 200])("%i columns", (columns) => {
    const widths = draw(mixed, columns).map((line) => stringWidth(line));
    expect(Math.max(...widths)).toBeLessThanOrEqual(columns);
  });
});

test("no table without tasks", () => {
  expect(draw([])).toEqual([]);
});

describe("many tasks", () => {
  const many = (count: number, failures: number) =>
    Array.from({ length: count }, (_, index) =>
      makeResult(
        `task-${String(index).padStart(3, "0")}.1`,
        index % (count / failures) === 1 ? "failed" : "passed",
      ),
    );

  test("up to forty are in order of their names", () => {
    const lines = draw(many(40, 4));
    expect(lines).toHaveLength(42);
    expect(lines[2]).toMatch(/^task-000 .* passed /);
  });

  test("with more than forty, those that failed come first", () => {
    const lines = draw(many(500, 5));
    expect(lines).toHaveLength(43);
    expect(lines.slice(2, 9).map((line) => line.split(/ +/).slice(0, 4).join(" "))).toEqual([
      "task-001 0/1 0 failed",
      "task-101 0/1 0 failed",
      "task-201 0/1 0 failed",
      "task-301 0/1 0 failed",
      "task-401 0/1 0 failed",
      "task-000 1/1 1 passed",
      "task-002 1/1 1 passed",
    ]);
    expect(lines.at(-1)).toBe("… 460 more tasks, all passed");
  });

  test("when even those are too many, it says so", () => {
    expect(draw(many(500, 100)).at(-1)).toBe("… 460 more tasks, 400 of them passed");
  });

  test("infrastructure errors come before skipped tasks", () => {
    const results = [
      ...many(45, 1),
      makeResult("zz-skipped.1", "skipped"),
      makeResult("zz-infra.1", "infra_error"),
    ];
    const names = draw(results)
      .slice(2, 6)
      .map((line) => line.split(" ")[0]);
    expect(names).toEqual(["task-001", "zz-infra", "zz-skipped", "task-000"]);
  });
});

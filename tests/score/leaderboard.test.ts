import { describe, expect, test } from "vitest";
import {
  type AgentScore,
  assignRanks,
  rankAgents,
  type SubmittedRun,
} from "../../src/score/leaderboard.js";
import { computeRate } from "../../src/score/wilson.js";
import { makeRun, makeTasks, type StoredRunParts } from "../support/stored-run.js";

function submit(parts: StoredRunParts, submittedAt = "2030-01-01T00:00:00.000Z"): SubmittedRun {
  return { ...makeRun(parts), submittedAt };
}

const score = (agent: string, passed: number, of: number, day: number): AgentScore =>
  ({
    agent,
    pass_rate: computeRate(passed, of),
    submitted_at: `2030-01-0${day}T00:00:00.000Z`,
  }) as AgentScore;

describe("ranks", () => {
  const ranksOf = (scores: AgentScore[]) =>
    assignRanks(scores).map(({ rank, agent }) => `${rank} ${agent}`);

  test("clear differences, in order", () => {
    expect(
      ranksOf([score("low", 10, 100, 1), score("high", 90, 100, 3), score("middle", 50, 100, 2)]),
    ).toEqual(["1 high", "2 middle", "3 low"]);
  });

  test("what intervals can't tell apart shares a rank, the earliest first", () => {
    expect(ranksOf([score("late", 52, 100, 3), score("early", 50, 100, 1)])).toEqual([
      "1 early",
      "1 late",
    ]);
  });

  test("the next rank counts those before it", () => {
    expect(
      ranksOf([score("a", 90, 100, 1), score("b", 88, 100, 2), score("c", 10, 100, 3)]),
    ).toEqual(["1 a", "1 b", "3 c"]);
  });

  test("a chain of overlaps does not lift the last one: the overlap with the leader decides", () => {
    // 60 overlaps with 50 and 50 with 40, but 40 does not overlap with 60.
    expect(
      ranksOf([score("a", 60, 100, 3), score("b", 50, 100, 2), score("c", 40, 100, 1)]),
    ).toEqual(["1 b", "1 a", "3 c"]);
  });

  test("nobody", () => {
    expect(ranksOf([])).toEqual([]);
  });
});

test("all runs of an agent count together", () => {
  const board = rankAgents(
    [
      submit({ run: "good", tasks: makeTasks(4) }, "2030-03-01T00:00:00.000Z"),
      submit({ run: "bad", tasks: makeTasks(4, 4) }, "2030-02-01T00:00:00.000Z"),
    ],
    1,
  );
  expect(board.entries).toHaveLength(1);
  expect(board.entries[0]).toMatchObject({
    rank: 1,
    agent: "my-agent",
    runs: ["good", "bad"],
    submitted_at: "2030-02-01T00:00:00.000Z",
    attempts: 2,
    tasks: 4,
    flaky: 4,
    pass_rate: { passed: 4, of: 8, value: 0.5 },
    pass_hat_k: [
      { k: 1, value: 0.5, tasks: 4 },
      { k: 2, value: 0, tasks: 4 },
    ],
  });
});

test("another command line or model is another agent", () => {
  const tasks = makeTasks(2);
  const board = rankAgents(
    [
      submit({ tasks }),
      submit({ tasks, spec: "./my-agent --think" }),
      submit({ tasks, costUsd: 1 }),
    ],
    1,
  );
  expect(board.entries.map(({ spec, models }) => [spec, models])).toEqual([
    ["./my-agent", []],
    ["./my-agent --think", []],
    ["./my-agent", ["model-x"]],
  ]);
});

test("agents with too few scored trials are left out and listed", () => {
  const incomplete = submit({
    run: "half",
    agent: "half",
    tasks: [
      { task: "task-01", outcomes: ["passed", "passed"] },
      { task: "task-02", outcomes: ["passed", "infra_error"] },
    ],
  });
  const whole = submit({
    agent: "whole",
    tasks: makeTasks(2).map((task) => ({ ...task, outcomes: ["passed", "failed"] })),
  });
  const board = rankAgents([incomplete, whole], 2);
  expect(board.entries.map(({ agent }) => agent)).toEqual(["whole"]);
  expect(board.left_out).toEqual([
    { agent: "half", runs: ["half"], reason: "a task has only 1 of 2 scored trials required" },
  ]);
  expect(rankAgents([incomplete], 1).entries[0]?.not_scored).toEqual({ infra_error: 1 });
});

test("a planned trial without a result leaves the agent out", () => {
  const run = submit({ tasks: makeTasks(3) });
  const cut = { ...run, results: run.results.slice(1) };
  expect(rankAgents([cut], 1)).toMatchObject({ entries: [], left_out: [{ agent: "my-agent" }] });
});

describe("what does not fit together is reported", () => {
  const first = submit({ run: "first", tasks: makeTasks(3) });
  test.each<[string, StoredRunParts, string[]]>([
    ["the same", { tasks: makeTasks(3, 2) }, []],
    [
      "other limits",
      { tasks: makeTasks(3), limits: { timeout_multiplier: 2 } },
      ["run: timeout_multiplier is 2, but 1 in first"],
    ],
    [
      "another version of term-run",
      { tasks: makeTasks(3), version: "0.2.0" },
      ["run: term_run is 0.2.0, but 0.1.0 in first"],
    ],
    ["fewer tasks", { tasks: makeTasks(2) }, ["run: lacks tasks that first has: task-03"]],
    ["more tasks", { tasks: makeTasks(4) }, ["run: has tasks that first lacks: task-04"]],
    [
      "another version of a task",
      { tasks: makeTasks(3).map((task) => ({ ...task, digest: `new-${task.task}` })) },
      ["run: has other versions of tasks than first: task-01, task-02, task-03"],
    ],
  ])("%s", (_name, parts, mixed) => {
    expect(rankAgents([first, submit(parts)], 1).mixed).toEqual(mixed);
  });
});

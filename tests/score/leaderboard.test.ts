import { describe, expect, test } from "vitest";
import { type LeaderboardOptions, rankAgents } from "../../src/score/leaderboard.js";
import { rankPairwise } from "../../src/score/ranks.js";
import type { SubmittedRun } from "../../src/score/scored-run.js";
import { makeRun, makeTasks, type StoredRunParts } from "../support/stored-run.js";

function submit(parts: StoredRunParts, submittedAt = "2030-01-01T00:00:00.000Z"): SubmittedRun {
  return { ...makeRun(parts), submittedAt };
}

/** The first board of these runs. */
function rank(runs: SubmittedRun[], minAttempts = 1, more: Partial<LeaderboardOptions> = {}) {
  const [board] = rankAgents(runs, { minAttempts, ...more }).boards;
  if (!board) throw new Error("there is no board");
  return board;
}

const agent = (name: string, failed: number, more: Partial<StoredRunParts> = {}) =>
  submit({ run: name, agent: name, tasks: makeTasks(40, failed), ...more });
const ranksOf = (runs: SubmittedRun[]) =>
  rank(runs).entries.map(({ rank: { best, worst }, agent: name }) => `${best}-${worst} ${name}`);

describe("ranks", () => {
  test("clear differences, in order", () => {
    expect(ranksOf([agent("low", 38), agent("high", 0), agent("middle", 18)])).toEqual([
      "1-1 high",
      "2-2 middle",
      "3-3 low",
    ]);
  });

  test("what tests can't tell apart shares a range, listed by rate", () => {
    expect(ranksOf([agent("b", 2), agent("a", 1), agent("far", 35)])).toEqual([
      "1-2 a",
      "1-2 b",
      "3-3 far",
    ]);
  });

  test("a chain: the middle may be either, the ends are told apart", () => {
    expect(ranksOf([agent("a", 0), agent("b", 6), agent("c", 12)])).toEqual([
      "1-2 a",
      "1-3 b",
      "2-3 c",
    ]);
  });

  test("another entry changes nobody's order", () => {
    const some = [agent("a", 3), agent("b", 2), agent("c", 4), agent("d", 2)];
    const order = (runs: SubmittedRun[]) => rank(runs).entries.map((entry) => entry.agent);
    expect(order(some)).toEqual(["b", "d", "a", "c"]);
    const more = order([agent("e", 1), agent("z", 40), ...some.toReversed()]);
    expect(more.filter((name) => "abcd".includes(name))).toEqual(["b", "d", "a", "c"]);
  });

  test("the time of submission decides nothing", () => {
    const at = (name: string, failed: number, day: number) =>
      submit({ run: name, agent: name, tasks: makeTasks(9, failed) }, `2030-01-0${day}T00:00:00Z`);
    expect(rank([at("late", 1, 9), at("early", 2, 1)]).entries.map((one) => one.agent)).toEqual([
      "late",
      "early",
    ]);
  });

  test("nobody", () => {
    expect(rankPairwise([], 0.05)).toEqual([]);
    expect(rankAgents([], { minAttempts: 1 }).boards).toMatchObject([{ entries: [] }]);
  });
});

test("a run that was given twice counts once", () => {
  const run = agent("a", 1);
  const copy = structuredClone(run);
  const board = rankAgents([run, copy, agent("b", 2)], { minAttempts: 1 });
  expect(board.duplicates).toEqual(["a"]);
  expect(board.boards[0]?.entries[0]).toMatchObject({ runs: ["a"], pass_rate: { of: 40 } });
});

test("a shard counts once, beside the run that it was merged into", () => {
  const whole = agent("a", 1);
  const merged = { ...whole, record: { ...whole.record, run: "all", merged_from: ["a"] } };
  const board = rankAgents([whole, merged], { minAttempts: 1 });
  expect(board.duplicates).toEqual(["a"]);
  expect(board.boards[0]?.entries[0]?.runs).toEqual(["all"]);
});

test("built-in agents are left out unless asked for", () => {
  const runs = [agent("oracle", 0, { spec: "oracle" }), agent("mine", 5)];
  const builtin = new Set(["oracle", "nop"]);
  const without = rankAgents(runs, { minAttempts: 1, builtin });
  expect(without.builtin).toEqual(["oracle"]);
  expect(without.boards[0]?.entries.map((one) => one.agent)).toEqual(["mine"]);
  expect(rank(runs).entries).toHaveLength(2);
});

test("runs on other tasks or under other rules are ranked on boards of their own", () => {
  const runs = [
    agent("other", 0, { tasks: makeTasks(3) }),
    agent("a", 1),
    agent("slow", 0, { limits: { timeout_multiplier: 2 } }),
    agent("b", 2),
  ];
  const { boards } = rankAgents(runs, { minAttempts: 1 });
  const names = boards.map(({ entries }) => entries.map((one) => one.agent).join());
  expect(names[0]).toBe("a,b");
  expect(names.toSorted()).toEqual(["a,b", "other", "slow"]);
  const slow = boards[names.indexOf("slow")];
  expect(slow?.differs).toEqual(["slow: timeout_multiplier is 2, but 1 in a"]);
  expect(rank(runs, 1, { allowMixed: true }).entries).toHaveLength(4);
});

test("the frontier: nobody is cheaper and better", () => {
  const { entries } = rank([
    agent("best", 0, { costUsd: 3 }),
    agent("wasteful", 4, { costUsd: 5 }),
    agent("cheap", 10, { costUsd: 1 }),
    agent("unknown", 0),
  ]);
  expect(entries.map((one) => [one.agent, one.on_frontier])).toEqual([
    ["best", true],
    ["unknown", null],
    ["wasteful", false],
    ["cheap", true],
  ]);
});

test("all runs of an agent count together", () => {
  const board = rank(
    [
      submit({ run: "good", tasks: makeTasks(4) }, "2030-03-01T00:00:00.000Z"),
      submit({ run: "bad", tasks: makeTasks(4, 4) }, "2030-02-01T00:00:00.000Z"),
    ],
    1,
  );
  expect(board.entries).toHaveLength(1);
  expect(board.entries[0]).toMatchObject({
    rank: { best: 1, worst: 1 },
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
  const board = rank(
    [
      submit({ tasks }),
      submit({ tasks, spec: "./my-agent --think" }),
      submit({ tasks, costUsd: 1 }),
    ],
    1,
  );
  expect(board.entries.map(({ spec, models }) => [spec, models])).toEqual([
    ["./my-agent", []],
    ["./my-agent", ["model-x"]],
    ["./my-agent --think", []],
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
  const board = rank([incomplete, whole], 2);
  expect(board.entries.map(({ agent }) => agent)).toEqual(["whole"]);
  expect(board.left_out).toEqual([
    { agent: "half", runs: ["half"], reason: "a task has only 1 of 2 scored trials required" },
  ]);
  expect(rank([incomplete], 1).entries[0]?.not_scored).toEqual({ infra_error: 1 });
});

test("a planned trial without a result leaves the agent out", () => {
  const run = submit({ tasks: makeTasks(3) });
  const cut = { ...run, results: run.results.slice(1) };
  expect(rank([cut])).toMatchObject({ entries: [], left_out: [{ agent: "my-agent" }] });
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
    expect(rank([first, submit(parts)], 1, { allowMixed: true }).mixed).toEqual(mixed);
  });
});

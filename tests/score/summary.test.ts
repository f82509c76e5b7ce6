import { expect, test } from "vitest";
import { isScored, OUTCOMES, type Outcome } from "../../src/events/outcomes.js";
import type { RunRecord, TrialResult } from "../../src/events/records.js";

import { summarize } from "../../src/score/summary.js";
import { computeRate } from "../../src/score/wilson.js";

function makeResult(
  task: string,
  outcome: Outcome,
  reward: number | null,
  more: Partial<TrialResult> = {},
): TrialResult {
  return {
    format_version: 1,
    trial: `${task}.1`,
    task,
    task_digest: "d",
    attempt: 1,
    tries: 1,
    agent: "a",
    sandbox: "local",
    outcome,
    reward,
    rewards: null,
    error: null,
    steps: 1,
    usage: null,
    started_at: "2030-01-01T00:00:00.000Z",
    finished_at: "2030-01-01T00:00:01.000Z",
    durations: { total_sec: 1, sandbox_sec: 0, agent_sec: 1, verifier_sec: 0 },
    ...more,
  };
}

function summarizeResults(
  results: TrialResult[],
  planned = results.length,
  tasks: RunRecord["tasks"] = [],
) {
  return summarize({
    run: "r",
    agent: "a",
    startedAt: "2030-01-01T00:00:00.000Z",
    finishedAt: "2030-01-01T00:01:30.500Z",
    interrupted: false,
    planned,
    results,
    tasks,
  });
}

test("a whole summary", () => {
  const usage = { models: ["m"], input_tokens: 10, output_tokens: 5, cost_usd: 0.5 };
  const summary = summarizeResults(
    [
      makeResult("b", "passed", 1, { usage }),
      makeResult("b", "failed", 0.5, { usage, attempt: 2 }),
      makeResult("a", "agent_crashed", null),
      makeResult("c", "infra_error", null),
      makeResult("C", "skipped", null),
    ],
    6,
    [
      { task: "a", task_digest: "d", metadata: { difficulty: "easy", tags: ["x", "y", 3] } },
      { task: "b", task_digest: "d", metadata: { difficulty: "hard", category: "c", tags: ["y"] } },
      { task: "c", task_digest: "d", metadata: { difficulty: ["odd"], category: " ", tags: "x" } },
    ],
  );
  const interval = { low: expect.any(Number), high: expect.any(Number) };
  const mean_reward_interval = interval;
  const one = { mean_reward: 0, mean_reward_interval, pass_rate: computeRate(0, 1), tasks: 1 };
  const two = { mean_reward: 0.75, mean_reward_interval, pass_rate: computeRate(1, 2), tasks: 1 };
  expect(summary).toEqual({
    format_version: 1,
    run: "r",
    agent: "a",
    started_at: "2030-01-01T00:00:00.000Z",
    finished_at: "2030-01-01T00:01:30.500Z",
    duration_sec: 90.5,
    interrupted: false,
    trials: { planned: 6, finished: 5, scored: 3 },
    outcomes: {
      passed: 1,
      failed: 1,
      agent_timeout: 0,
      agent_crashed: 1,
      invalid_output: 0,
      idle: 0,
      max_steps: 0,
      verifier_error: 0,
      infra_error: 1,
      cancelled: 0,
      skipped: 1,
    },
    pass_rate: {
      value: 1 / 3,
      ...interval,
      these_tasks: interval,
      passed: 1,
      of: 3,
      method: "wilson_effective",
      units: 2,
      standard_error: expect.closeTo(2 / 9, 12),
    },
    with_errors: { value: 0.25, passed: 1, of: 4 },
    discarded_tries: 0,
    mean_reward: 0.5,
    mean_reward_interval,
    pass_at_k: [
      { k: 1, value: 0.25, ...interval, tasks: 2 },
      { k: 2, value: 1, ...interval, tasks: 1 },
    ],
    pass_hat_k: [
      { k: 1, value: 0.25, ...interval, tasks: 2 },
      { k: 2, value: 0, ...interval, tasks: 1 },
    ],
    flaky: ["b"],
    usage: { models: ["m"], input_tokens: 20, output_tokens: 10, cost_usd: 1 },
    per_trial: {
      trials: 3,
      time_sec: 1,
      time_interval: null,
      usage_trials: 2,
      input_tokens: 10,
      output_tokens: 5,
      cost_trials: 2,
      cost_usd: 0.5,
      cost_interval: null,
    },
    per_pass: { passes: 1, time_sec: 3, input_tokens: 20, output_tokens: 10, cost_usd: 1 },
    groups: {
      difficulty: [
        { name: "easy", ...one },
        { name: "hard", ...two },
      ],
      category: [{ name: "c", ...two }],
      tag: [
        { name: "x", ...one },
        {
          name: "y",
          mean_reward: 0.5,
          mean_reward_interval,
          pass_rate: summary.pass_rate,
          tasks: 2,
        },
      ],
    },
    tasks: [
      { task: "C", passed: 0, scored: 0, mean_reward: null, outcomes: { skipped: 1 } },
      { task: "a", passed: 0, scored: 1, mean_reward: 0, outcomes: { agent_crashed: 1 } },
      { task: "b", passed: 1, scored: 2, mean_reward: 0.75, outcomes: { passed: 1, failed: 1 } },
      { task: "c", passed: 0, scored: 0, mean_reward: null, outcomes: { infra_error: 1 } },
    ],
  });
});

test.each(OUTCOMES.map((outcome) => [outcome]))("%s counts in the right place", (outcome) => {
  const apart = ["infra_error", "cancelled", "skipped"].includes(outcome);
  const summary = summarizeResults([makeResult("t", outcome, null)]);
  expect(isScored(outcome)).toBe(!apart);
  expect(summary.trials).toEqual({ planned: 1, finished: 1, scored: apart ? 0 : 1 });
  expect(summary.pass_rate).toMatchObject({
    passed: outcome === "passed" ? 1 : 0,
    of: apart ? 0 : 1,
  });
  expect(summary.mean_reward).toBe(apart ? null : 0);
  expect(summary.outcomes[outcome]).toBe(1);
});

test("a reward after a timeout counts in the mean, not as a pass", () => {
  const summary = summarizeResults([makeResult("t", "agent_timeout", 1)]);
  expect(summary.mean_reward).toBe(1);
  expect(summary.pass_rate.value).toBe(0);
});

test("the cost of trials that are not scored is counted", () => {
  const usage = { models: [], input_tokens: 7, output_tokens: 1, cost_usd: 0.1 };
  const summary = summarizeResults([makeResult("t", "infra_error", null, { usage })]);
  expect(summary.usage).toEqual(usage);
});

test("an empty run has no numbers to show", () => {
  const summary = summarizeResults([], 4);
  expect(summary.trials).toEqual({ planned: 4, finished: 0, scored: 0 });
  expect(summary.pass_rate).toEqual(computeRate(0, 0));
  expect(summary.pass_at_k).toEqual([]);
  expect(summary.per_pass).toMatchObject({ passes: 0, time_sec: null, cost_usd: null });
  expect(summary.mean_reward).toBeNull();
  expect(summary.usage).toBeNull();
  expect(summary.tasks).toEqual([]);
});

test("a clock that was set back gives no negative duration", () => {
  const summary = summarize({
    run: "r",
    agent: "a",
    startedAt: "2030-01-01T00:00:10.000Z",
    finishedAt: "2030-01-01T00:00:00.000Z",
    interrupted: true,
    planned: 0,
    results: [],
  });
  expect(summary.duration_sec).toBe(0);
  expect(summary.interrupted).toBe(true);
});

test("tokens that nobody reported are unknown, not 0", () => {
  const summary = summarizeResults([makeResult("t", "passed", 1), makeResult("t", "failed", 0)]);
  expect(summary.per_trial).toMatchObject({ trials: 2, usage_trials: 0, input_tokens: null });
  expect(summary.per_pass).toMatchObject({ passes: 1, time_sec: 2, input_tokens: null });
});

test("infrastructure errors are not in any denominator", () => {
  const results = [1, 2, 3].flatMap((attempt) => [
    makeResult("a", attempt === 2 ? "infra_error" : "passed", null, { attempt }),
    makeResult("b", "cancelled", null, { attempt }),
  ]);
  const summary = summarizeResults(results, 8);
  expect(summary.trials).toEqual({ planned: 8, finished: 6, scored: 2 });
  expect(summary.pass_rate).toMatchObject({ passed: 2, of: 2 });
  expect(summary.flaky).toEqual([]);
  expect(summary.pass_at_k).toMatchObject([
    { k: 1, value: 1, tasks: 1 },
    { k: 2, value: 1, tasks: 1 },
    { k: 3, value: null, tasks: 0 },
  ]);
});

test("a second rate counts errors as failures, and discarded tries are counted", () => {
  const results = [
    makeResult("a", "passed", 1, { tries: 3 }),
    makeResult("b", "failed", 0, { tries: 2 }),
    makeResult("c", "infra_error", null, { tries: 2 }),
    makeResult("d", "skipped", null),
  ];
  const summary = summarizeResults(results);
  expect(summary.pass_rate).toMatchObject({ passed: 1, of: 2 });
  expect(summary.with_errors).toEqual({ value: 1 / 3, passed: 1, of: 3 });
  expect(summary.discarded_tries).toBe(4);
  expect(summarizeResults(results.slice(0, 2)).with_errors).toBeNull();
});

test("rewards outside 0 to 1 widen the range of their interval", () => {
  const rewards = [-1, 0.5, 2, 1, 0, 1.5];
  const results = rewards.map((reward, task) => makeResult(`t${task}`, "failed", reward));
  const { mean_reward, mean_reward_interval } = summarizeResults(results);
  expect(mean_reward_interval?.low).toBeLessThan(mean_reward ?? 0);
  expect(mean_reward_interval?.low).toBeGreaterThanOrEqual(-1);
  expect(mean_reward_interval?.high).toBeGreaterThan(mean_reward ?? 0);
  expect(mean_reward_interval?.high).toBeLessThanOrEqual(2);
});

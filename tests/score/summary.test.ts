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
  const one = { mean_reward: 0, pass_rate: computeRate(0, 1), tasks: 1 };
  const two = { mean_reward: 0.75, pass_rate: computeRate(1, 2), tasks: 1 };
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
      low: 0,
      high: 1,
      passed: 1,
      of: 3,
      method: "clustered_t",
      units: 2,
      standard_error: expect.closeTo(2 / 9, 12),
    },
    mean_reward: 0.5,
    pass_at_k: [
      { k: 1, value: 0.25, tasks: 2 },
      { k: 2, value: 1, tasks: 1 },
    ],
    pass_hat_k: [
      { k: 1, value: 0.25, tasks: 2 },
      { k: 2, value: 0, tasks: 1 },
    ],
    flaky: ["b"],
    usage: { models: ["m"], input_tokens: 20, output_tokens: 10, cost_usd: 1 },
    per_trial: {
      trials: 3,
      time_sec: 1,
      usage_trials: 2,
      input_tokens: 10,
      output_tokens: 5,
      cost_trials: 2,
      cost_usd: 0.5,
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
        { name: "y", mean_reward: 0.5, pass_rate: summary.pass_rate, tasks: 2 },
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
  expect(summary.pass_at_k).toEqual([
    { k: 1, value: 1, tasks: 1 },
    { k: 2, value: 1, tasks: 1 },
    { k: 3, value: null, tasks: 0 },
  ]);
});

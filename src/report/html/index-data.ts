import { OUTCOMES, traitsOf } from "../../events/index.js";
import { computeRate } from "../../score/index.js";
import { nameDataset } from "../datasets.js";
import type { DocumentRun } from "../documents/document.js";
import { outcomeOf } from "../outcome.js";
import { cleanLine } from "../text.js";

const MAX_REASON = 300;

/** Everything that the page shows before a trial is opened. */
export function buildIndex({ record, totals, trials }: DocumentRun) {
  return {
    run: record.run,
    agent: record.agent.name,
    started_at: record.started_at,
    sandbox: record.sandbox,
    term_run: record.term_run,
    limits: record.limits,
    grade_timeouts: record.grade_timeouts,
    datasets: (record.datasets ?? []).map(nameDataset),
    summary: { ...totals, tasks: undefined, groups: undefined, flaky: undefined },
    tasks: totals.tasks.map((task) => ({
      task: task.task,
      mean_reward: task.mean_reward,
      ...computeRate(task.passed, task.scored),
    })),
    /** In the order in which the page lists them; the page has no list of its own. */
    outcomes: [...OUTCOMES, "unfinished" as const].map((outcome) => {
      const { sign, tone, scored } = traitsOf(outcome);
      return { outcome, sign, tone, scored };
    }),
    trials: trials.map(({ planned, result }) => ({
      trial: planned.trial,
      task: planned.task,
      attempt: planned.attempt,
      outcome: outcomeOf(result),
      reward: result?.reward ?? null,
      steps: result?.steps ?? null,
      seconds: result?.durations.total_sec ?? null,
      durations: result?.durations ?? null,
      tries: result?.tries ?? null,
      cost: result?.usage?.cost_usd ?? null,
      input_tokens: result?.usage?.input_tokens ?? null,
      output_tokens: result?.usage?.output_tokens ?? null,
      models: result?.usage?.models ?? [],
      reason: result?.error ? cleanLine(result.error.message).slice(0, MAX_REASON) : "",
      hint: result?.error?.hint ?? "",
    })),
  };
}

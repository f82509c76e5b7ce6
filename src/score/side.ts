import type { Outcome, PerPass, PerTrial, Rate, Share, TrialResult } from "../events/index.js";
import { countDiscarded, countErrors, countNotScored } from "./not-scored.js";
import { ratePasses } from "./rate.js";
import type { ScoredRun } from "./scored-run.js";
import { averagePass, averageTrial } from "./spending.js";
import { keepScored, tallyTasks } from "./tally.js";

/** One of the two sides of a comparison, on the tasks that both have. */
export interface Side {
  /** Several names if runs were taken together. */
  run: string;
  agent: string;
  pass_rate: Rate;
  /** With infrastructure errors as failures; null if there are none. */
  with_errors: Share | null;
  /** Outcomes that say nothing about the agent. */
  not_scored: Partial<Record<Outcome, number>>;
  discarded_tries: number;
  per_trial: PerTrial;
  per_pass: PerPass;
}

/** What was measured on these tasks, in one run or in several together. */
export function describeSide(runs: readonly ScoredRun[], tasks: ReadonlySet<string>): Side {
  const results = resultsOf(runs).filter(({ task }) => tasks.has(task));
  const scored = keepScored(results);
  return {
    run: runs.map(({ record }) => record.run).join(", "),
    agent: [...new Set(runs.map(({ record }) => record.agent.name))].join(", "),
    pass_rate: ratePasses(tallyTasks(results)),
    with_errors: countErrors(results),
    not_scored: countNotScored(results),
    discarded_tries: countDiscarded(results),
    per_trial: averageTrial(scored),
    per_pass: averagePass(scored),
  };
}

export function resultsOf(runs: readonly ScoredRun[]): TrialResult[] {
  return runs.flatMap(({ results }) => results);
}

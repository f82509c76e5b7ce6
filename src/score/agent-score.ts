import type {
  Interval,
  Outcome,
  PerPass,
  PerTrial,
  Rate,
  RateOfK,
  Share,
} from "../events/index.js";
import { listModels } from "./identity.js";
import { countDiscarded, countErrors, countNotScored } from "./not-scored.js";
import { averageOverTasks, passAtK, passHatK } from "./pass-at-k.js";
import type { Shares } from "./ranks.js";
import { ratePasses } from "./rate.js";
import { averageReward, intervalOfReward } from "./reward.js";
import { listDigests } from "./rules.js";
import type { SubmittedRun } from "./scored-run.js";
import { averagePass, averageTrial } from "./spending.js";
import { isFlaky, keepScored, type Tally, tallyTasks } from "./tally.js";

/** The score of one agent over all of its runs, so that none can be left out to look better. */
export interface AgentScore {
  agent: string;
  spec: string;
  models: string[];
  runs: string[];
  /** Of the first of its runs. */
  submitted_at: string;
  tasks: number;
  /** The fewest scored trials of any task. */
  attempts: number;
  pass_rate: Rate;
  /** With infrastructure errors as failures; null if there are none. */
  with_errors: Share | null;
  mean_reward: number | null;
  mean_reward_interval: Interval | null;
  /** For every k up to the number of attempts. */
  pass_at_k: RateOfK[];
  pass_hat_k: RateOfK[];
  flaky: number;
  per_trial: PerTrial;
  per_pass: PerPass;
  /** Outcomes that say nothing about the agent. */
  not_scored: Partial<Record<Outcome, number>>;
  discarded_tries: number;
}

export interface ScoredAgent {
  score: AgentScore;
  shares: Shares;
}

export function scoreAgent(runs: SubmittedRun[]): ScoredAgent {
  const results = runs.flatMap((run) => run.results);
  const scored = keepScored(results);
  const tallies = tallyPlanned(runs);
  const attempts = tallies.reduce((least, tally) => Math.min(least, tally.scored), Infinity);
  const [first] = runs as [SubmittedRun];
  const score: AgentScore = {
    agent: first.record.agent.name,
    spec: first.record.agent.spec,
    models: listModels(runs),
    runs: runs.map(({ record }) => record.run),
    submitted_at: runs.map((run) => run.submittedAt).sort()[0] as string,
    tasks: tallies.length,
    attempts,
    pass_rate: ratePasses(tallies),
    with_errors: countErrors(results),
    mean_reward: averageReward(scored),
    mean_reward_interval: intervalOfReward(scored),
    pass_at_k: averageOverTasks(tallies, attempts, passAtK),
    pass_hat_k: averageOverTasks(tallies, attempts, passHatK),
    flaky: tallies.filter(isFlaky).length,
    per_trial: averageTrial(scored),
    per_pass: averagePass(scored),
    not_scored: countNotScored(results),
    discarded_tries: countDiscarded(results),
  };
  const known = tallies.filter((tally) => tally.scored > 0);
  return {
    score,
    shares: new Map(known.map(({ task, passed, scored: of }) => [task, passed / of])),
  };
}

/** A planned task without a result counts as one with no scored trial. */
function tallyPlanned(runs: readonly SubmittedRun[]): Tally[] {
  const tallies = new Map(
    tallyTasks(runs.flatMap((run) => run.results)).map((tally) => [tally.task, tally]),
  );
  const planned = new Set(runs.flatMap(({ record }) => [...listDigests(record).keys()]));
  return [...planned].map((task) => tallies.get(task) ?? { task, passed: 0, scored: 0 });
}

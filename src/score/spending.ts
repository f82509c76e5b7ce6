import type { Interval, PerPass, PerTrial, TrialResult } from "../events/index.js";
import { intervalOfAmount } from "./amount.js";
import { averageClusters } from "./clusters.js";
import { clusterTrials } from "./reward.js";

/** Time, tokens and cost of an average scored trial, each with what it was divided by. */
export function averageTrial(scored: readonly TrialResult[]): PerTrial {
  const sums = addUp(scored);
  return {
    trials: scored.length,
    time_sec: divide(sums.time, scored.length),
    time_interval: intervalOf(scored, ({ durations }) => durations.total_sec),
    usage_trials: sums.usageTrials,
    input_tokens: divide(sums.input, sums.usageTrials),
    output_tokens: divide(sums.output, sums.usageTrials),
    cost_trials: sums.costTrials,
    cost_usd: divide(sums.cost, sums.costTrials),
    cost_interval: intervalOf(scored, ({ usage }) => usage?.cost_usd ?? null),
  };
}

/** Time, tokens and cost of all trials for each pass: failures are part of the price. */
export function averagePass(scored: readonly TrialResult[]): PerPass {
  const sums = addUp(scored);
  const passes = scored.filter((result) => result.outcome === "passed").length;
  const reported = sums.usageTrials > 0;
  return {
    passes,
    time_sec: divide(sums.time, passes),
    input_tokens: reported ? divide(sums.input, passes) : null,
    output_tokens: reported ? divide(sums.output, passes) : null,
    cost_usd: sums.costTrials > 0 ? divide(sums.cost, passes) : null,
  };
}

function intervalOf(
  scored: readonly TrialResult[],
  pick: (result: TrialResult) => number | null,
): Interval | null {
  const mean = averageClusters(clusterTrials(scored, pick));
  return mean && intervalOfAmount(mean);
}

function addUp(scored: readonly TrialResult[]) {
  const sums = { time: 0, usageTrials: 0, input: 0, output: 0, costTrials: 0, cost: 0 };
  for (const { usage, durations } of scored) {
    sums.time += durations.total_sec;
    if (!usage) continue;
    sums.usageTrials += 1;
    sums.input += usage.input_tokens;
    sums.output += usage.output_tokens;
    if (usage.cost_usd === null) continue;
    sums.costTrials += 1;
    sums.cost += usage.cost_usd;
  }
  return sums;
}

function divide(sum: number, by: number): number | null {
  return by === 0 ? null : sum / by;
}

import type { Interval } from "../events/index.js";
import type { Tally } from "./tally.js";
import { wilsonInterval } from "./wilson.js";

/**
 * The interval of the pass rate on exactly these tasks: how far another run of the same agent on
 * them could be. Only the variation between attempts at the same task counts.
 */
export function intervalOfTheseTasks(
  tallies: readonly Tally[],
  value: number,
  trials: number,
): Interval {
  // As if all trials were of one task: they vary as much as trials can.
  const most = trials * value * (1 - value);
  const noise = tallies.reduce((sum, tally) => sum + noiseOf(tally, value), 0);
  // Tasks that always ended alike don't prove that they always will: one more trial differs.
  const doubt = 1;
  const share = most === 0 ? 1 : Math.min(1, (noise + doubt) / most);
  return wilsonInterval(value, trials / share);
}

/** The variance of a task's passes; one attempt doesn't show any, so the most is assumed. */
function noiseOf({ passed, scored }: Tally, value: number): number {
  if (scored === 1) return value * (1 - value);
  return (passed * (scored - passed)) / (scored - 1);
}

import type { TrialResult } from "../events/index.js";
import { type Design, powerOfDrop, search } from "./detectable.js";
import { normalCdf } from "./normal.js";
import { ratePasses } from "./rate.js";
import { studentT } from "./student-t.js";
import { tallyTasks } from "./tally.js";

/** What is known or assumed before a run. */
export interface Assumptions {
  /** The pass rate. */
  rate: number;
  /** Which share of the variance of trials is between attempts at the same task. */
  noise: number;
  alpha: number;
  power: number;
}

export interface Planned {
  attempts: number;
  /** Tasks needed; null if more than a million. */
  baseline: number | null;
  compare: number | null;
}

export interface Found {
  tasks: number;
  attempts: number;
  /** The smallest changes found; null if even a total loss is not. */
  baseline: number | null;
  compare: number | null;
}

/** Between tasks that are all alike (1) and tasks that always end the same way (0). */
const USUAL_NOISE = 0.5;
const MAX_TASKS = 1_000_000;

/** How many tasks show a change of this size. */
export function planTasks(detect: number, attempts: number, given: Assumptions): Planned {
  const least = (powerOf: PowerOf) =>
    findLeast((tasks) => powerOf(detect, tasks, attempts, given) >= given.power);
  return { attempts, baseline: least(powerOfBaseline), compare: least(powerOfCompare) };
}

/** Which change so many tasks and attempts show. */
export function findDetectable(tasks: number, attempts: number, given: Assumptions): Found {
  const least = (powerOf: PowerOf) => {
    const holds = (lost: number) =>
      powerOf(lost * given.rate, tasks, attempts, given) >= given.power;
    return holds(1) ? search(holds) * given.rate : null;
  };
  return { tasks, attempts, baseline: least(powerOfBaseline), compare: least(powerOfCompare) };
}

/** The pass rate of an earlier run, and its noise if it has several attempts. */
export function readPilot(results: readonly TrialResult[]): {
  rate: number | null;
  noise: number | null;
} {
  const tallies = tallyTasks(results).filter(({ scored }) => scored > 0);
  const { value: rate } = ratePasses(tallies);
  const repeated = tallies.filter(({ scored }) => scored > 1);
  const trials = repeated.reduce((sum, { scored }) => sum + scored, 0);
  const most = trials * (rate ?? 0) * (1 - (rate ?? 0));
  if (most === 0) return { rate, noise: null };
  const within = repeated.reduce(
    (sum, { passed, scored }) => sum + (passed * (scored - passed)) / (scored - 1),
    0,
  );
  // As in the interval for these tasks: one more trial differs.
  return { rate, noise: Math.min(1, (within + 1) / most) };
}

export function assumeNoise(noise: number | null): number {
  return noise ?? USUAL_NOISE;
}

type PowerOf = (change: number, tasks: number, attempts: number, given: Assumptions) => number;

/** Some tasks are noisy, the others always pass or always fail. */
const powerOfBaseline: PowerOf = (change, tasks, attempts, { rate, noise, alpha }) => {
  const both = { before: attempts, after: attempts };
  const designs: Design[] = [
    { ...both, rate, tasks: tasks * noise },
    { ...both, rate: 1, tasks: tasks * (1 - noise) * rate },
  ];
  return powerOfDrop(designs, Math.min(1, change / rate), alpha);
};

/** The change comes from a few tasks that one agent always solves and the other never does. */
const powerOfCompare: PowerOf = (change, tasks, attempts, { rate, noise, alpha }) => {
  if (2 ** (1 - tasks) > alpha) return 0;
  const between = change * (1 - change);
  const now = Math.max(0, rate - change);
  const within = ((rate * (1 - rate) + now * (1 - now)) * noise) / attempts;
  const error = Math.sqrt((between + within) / tasks);
  return normalCdf(change / error - studentT(1 - alpha, Math.min(tasks - 1, 1000)));
};

function findLeast(holds: (tasks: number) => boolean): number | null {
  let high = 2;
  while (!holds(high)) {
    high *= 2;
    if (high > MAX_TASKS) return null;
  }
  let low = high / 2;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle;
  }
  return high;
}

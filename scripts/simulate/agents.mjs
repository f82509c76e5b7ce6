import { createDraws } from "./random.mjs";

/** How two agents differ: the chance to pass each task before and after, and the true change. */

const RATE = 0.7;
const ALIKE = 0.6;

/** @typedef {ReturnType<typeof createDraws>} Draws */

const CHANGES = {
  /** @param {Draws} draws @param {number} was */
  none: (_draws, was) => was,
  /** Other strengths, the same average. @param {Draws} draws @param {number} was */
  exchanged: (draws, was) => (draws.random() < 0.3 ? draws.beta(RATE, ALIKE) : was),
  /** Ten points: one in seven tasks that it could solve fails now. @param {Draws} draws @param {number} was */
  broken: (draws, was) => (draws.random() < 0.1 / RATE ? 0 : was),
  /** Ten points: a little worse everywhere. @param {Draws} draws @param {number} was */
  worse: (_draws, was) => was * (1 - 0.1 / RATE),
  /** Everything fails. */
  collapsed: () => 0,
};

/** @type {Record<keyof typeof CHANGES, number>} */
export const TRUE_CHANGE = { none: 0, exchanged: 0, broken: -0.1, worse: -0.1, collapsed: -RATE };

/**
 * Both results of each task. A baseline of a collapse passes everything.
 * @param {Draws} draws
 * @param {keyof typeof CHANGES} change
 * @param {number} tasks
 * @param {number} attempts
 */
export function drawPairs(draws, change, tasks, attempts) {
  return Array.from({ length: tasks }, (_, index) => {
    const was = change === "collapsed" ? 1 : draws.beta(RATE, ALIKE);
    const is = CHANGES[change](draws, was);
    const passed = (/** @type {number} */ chance) => draws.count(attempts, chance);
    return {
      task: String(index),
      chances: [was, is],
      baseline: { passed: passed(was), scored: attempts },
      candidate: { passed: passed(is), scored: attempts },
    };
  });
}

import { correctForMany } from "./holm.js";
import { changeOf, type TaskPair } from "./pair.js";
import { testForWorse } from "./stratified.js";

/** At most this share of the named tasks changed by chance, on average. */
const FALSE_SHARE = 0.2;

export interface Changed {
  won: TaskPair[];
  lost: TaskPair[];
  /** Tasks that changed no more than chance explains. */
  within_noise: TaskPair[];
}

/** Which tasks changed by more than noise, so that it makes sense to look at them. */
export function splitChanged(pairs: readonly TaskPair[], alpha: number): Changed {
  const lost = findLost(pairs, alpha);
  const won = findLost(pairs.map(turn), alpha);
  const of = (found: Set<string>) => pairs.filter(({ task }) => found.has(task));
  return {
    won: of(won),
    lost: of(lost),
    within_noise: pairs.filter(
      (pair) => changeOf(pair) !== 0 && !won.has(pair.task) && !lost.has(pair.task),
    ),
  };
}

function findLost(pairs: readonly TaskPair[], alpha: number): Set<string> {
  const limit = findLimit(pairs.map(changeOf));
  // A task may also prove it alone, with many attempts.
  const alone = correctForMany(pairs.map((pair) => testForWorse([pair])));
  const found = pairs.filter(
    (pair, index) => changeOf(pair) <= limit || (alone[index] as number) <= alpha,
  );
  return new Set(found.map(({ task }) => task));
}

/**
 * Noise goes either way: as many tasks gain by chance as lose by chance. The smallest loss from
 * which on those that gained as much are few in comparison (Barber and Candès, 2015).
 */
function findLimit(changes: readonly number[]): number {
  const losses = [...new Set(changes.filter((change) => change < 0))].sort((a, b) => b - a);
  for (const loss of losses) {
    const lower = changes.filter((change) => change <= loss + 1e-9).length;
    const higher = changes.filter((change) => change >= -loss - 1e-9).length;
    if ((higher + 1) / lower <= FALSE_SHARE) return loss + 1e-9;
  }
  return -Infinity;
}

function turn({ task, baseline, candidate }: TaskPair): TaskPair {
  return { task, baseline: candidate, candidate: baseline };
}

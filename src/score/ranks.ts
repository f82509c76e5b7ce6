import { correctForMany } from "./holm.js";
import { testSigns } from "./sign-flip.js";

/** The places that an agent may really have. */
export interface RankRange {
  best: number;
  worst: number;
}

/** By task: the share of trials that passed. */
export type Shares = ReadonlyMap<string, number>;

/**
 * Each agent is compared with every other on the tasks that both have, corrected for the number of
 * pairs: those that are clearly better come before it, those that are clearly worse come after it.
 */
export function rankPairwise(agents: readonly Shares[], alpha: number): RankRange[] {
  const pairs = agents.flatMap((_, first) =>
    agents.slice(first + 1).map((_, index) => ({ first, second: first + 1 + index })),
  );
  const tested = pairs.map(({ first, second }) => {
    const changes = subtract(agents[first] as Shares, agents[second] as Shares);
    const lead = changes.reduce((sum, change) => sum + change, 0);
    return { first, second, lead, p_value: testSigns(changes).p_value };
  });
  const corrected = correctForMany(tested.map(({ p_value }) => p_value));
  const ranks = agents.map(() => ({ best: 1, worst: agents.length }));
  for (const [index, { first, second, lead }] of tested.entries()) {
    if ((corrected[index] as number) > alpha) continue;
    const [winner, loser] = lead > 0 ? [first, second] : [second, first];
    (ranks[loser] as RankRange).best += 1;
    (ranks[winner] as RankRange).worst -= 1;
  }
  return ranks;
}

function subtract(a: Shares, b: Shares): number[] {
  return [...a].flatMap(([task, share]) => {
    const other = b.get(task);
    return other === undefined ? [] : [share - other];
  });
}

import type { Usage } from "../llm/types.js";
import type { Usage as StepUsage } from "../response.js";

/** What the model calls since the last step have cost. */
export class Spending {
  #calls: Usage[] = [];

  add(usage: Usage): void {
    this.#calls.push(usage);
  }

  /** The sum, once; null when there was no call. A sum with an unknown part is unknown. */
  take(): StepUsage | null {
    const calls = this.#calls;
    this.#calls = [];
    const last = calls.at(-1);
    if (last === undefined) return null;
    return {
      model: last.model,
      inputTokens: sum(calls.map(({ inputTokens }) => inputTokens)),
      outputTokens: sum(calls.map(({ outputTokens }) => outputTokens)),
      cachedTokens: sum(calls.map(({ cachedTokens }) => cachedTokens)),
      costUsd: sum(calls.map(({ costUsd }) => costUsd)),
    };
  }
}

function sum(values: readonly (number | null)[]): number | null {
  let total = 0;
  for (const value of values) {
    if (value === null) return null;
    total += value;
  }
  return total;
}

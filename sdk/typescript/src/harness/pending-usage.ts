import type { Usage } from "../llm/types.js";
import type { Usage as StepUsage } from "../response.js";

/** Usage of the model calls since the last step. */
export class PendingUsage {
  #calls: Usage[] = [];

  add(usage: Usage): void {
    this.#calls.push(usage);
  }

  /** Returns and resets the sum; null if there was no call. A sum with an unknown part is unknown. */
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

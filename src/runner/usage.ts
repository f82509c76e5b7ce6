import type { UsageTotals } from "../events/index.js";
import type { ResponseData } from "../protocol/index.js";

/** Adds up the usage that an agent reports as it arrives, so that a killed agent's is known too. */
export class UsageMeter {
  #totals: UsageTotals | null = null;
  #costKnown = true;

  add(data: ResponseData | null): void {
    const usage = data?.usage;
    if (!usage) return;
    const totals = this.#totals ?? {
      models: [],
      input_tokens: 0,
      output_tokens: 0,
      cost_usd: null,
    };
    if (usage.model && !totals.models.includes(usage.model)) totals.models.push(usage.model);
    totals.input_tokens += usage.input_tokens ?? 0;
    totals.output_tokens += usage.output_tokens ?? 0;
    if (usage.cost_usd != null) totals.cost_usd = (totals.cost_usd ?? 0) + usage.cost_usd;
    else if (usage.input_tokens || usage.output_tokens) this.#costKnown = false;
    this.#totals = totals;
  }

  /** Tokens without a cost make the whole cost unknown: a partial sum would look like the total. */
  get totals(): UsageTotals | null {
    if (this.#costKnown || !this.#totals) return this.#totals;
    return { ...this.#totals, cost_usd: null };
  }
}

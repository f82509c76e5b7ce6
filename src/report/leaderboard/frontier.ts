import type { LeaderboardEntry } from "../../score/index.js";
import type { Column } from "../columns.js";
import { formatCost, formatPercent } from "../format.js";
import { cleanLine } from "../text.js";

export const FRONTIER = "Cost and score: nobody is both cheaper and better than these";

/** The agents on the frontier, the cheapest first; none unless several have a known cost. */
export function listFrontier(entries: readonly LeaderboardEntry[]): LeaderboardEntry[] {
  if (listPriced(entries).length < 2) return [];
  return entries
    .filter(({ on_frontier }) => on_frontier === true)
    .toSorted((a, b) => costOf(a) - costOf(b));
}

export function listPriced(entries: readonly LeaderboardEntry[]): LeaderboardEntry[] {
  return entries.filter(({ on_frontier }) => on_frontier !== null);
}

export function costOf({ per_trial }: LeaderboardEntry): number {
  return per_trial.cost_usd ?? 0;
}

export function buildFrontierColumns(entries: readonly LeaderboardEntry[]): Column[] {
  const rate = ({ pass_rate }: LeaderboardEntry) => `${formatPercent(pass_rate.value ?? 0)} %`;
  return [
    {
      head: "agent",
      cells: entries.map(({ agent }) => cleanLine(agent)),
      align: "left",
      ifNarrow: "shorten",
    },
    {
      head: "cost/trial",
      cells: entries.map((entry) => formatCost(costOf(entry))),
      align: "right",
    },
    { head: "pass rate", cells: entries.map(rate), align: "right" },
  ];
}

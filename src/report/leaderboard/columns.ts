import type { LeaderboardEntry } from "../../score/index.js";
import type { Column } from "../columns.js";
import { formatCost, formatDuration, formatPercent } from "../format.js";
import { cleanLine } from "../text.js";

const UNKNOWN = "–";

export interface BoardColumn extends Column {
  /** What the column is sorted by; null comes last. */
  values: (string | number | null)[];
}

/** The columns of the leaderboard in every format. Columns without any value are left out. */
export function buildBoardColumns(entries: readonly LeaderboardEntry[]): BoardColumn[] {
  const columns: BoardColumn[] = [
    numbers("rank", entries, ({ rank }) => rank, String),
    words("agent", entries, ({ agent }) => agent, "shorten"),
    words("model", entries, ({ models }) => models.join(", "), "shorten"),
    numbers("pass rate", entries, ({ pass_rate }) => pass_rate.value, formatShare),
    {
      ...numbers("95 % interval", entries, ({ pass_rate }) => pass_rate.low, formatShare),
      cells: entries.map(formatInterval),
    },
    {
      ...numbers("passed", entries, ({ pass_rate }) => pass_rate.passed, String),
      cells: entries.map(({ pass_rate }) => `${pass_rate.passed}/${pass_rate.of}`),
    },
    numbers("tasks", entries, ({ tasks }) => tasks, String, 2),
    numbers("attempts", entries, ({ attempts }) => attempts, String, 4),
    ...reliability(entries),
    numbers("time/trial", entries, ({ per_trial }) => per_trial.time_sec, formatDuration, 3),
    numbers("cost/trial", entries, ({ per_trial }) => per_trial.cost_usd, formatCost, 5),
    numbers("cost/pass", entries, ({ per_pass }) => per_pass.cost_usd, formatCost, 6),
    words("submitted", entries, ({ submitted_at }) => submitted_at.slice(0, 10), 1),
  ];
  return columns.filter((column) => column.values.some((value) => value !== null));
}

function formatShare(share: number): string {
  return `${formatPercent(share)} %`;
}

function formatInterval({ pass_rate: { low, high } }: LeaderboardEntry): string {
  return low === null || high === null ? UNKNOWN : `${formatPercent(low)}–${formatShare(high)}`;
}

/** pass^k, for the highest k that every agent has. */
function reliability(entries: readonly LeaderboardEntry[]): BoardColumn[] {
  const k = Math.min(...entries.map((entry) => entry.attempts));
  if (!Number.isFinite(k) || k < 2) return [];
  const value = (entry: LeaderboardEntry) => entry.pass_hat_k[k - 1]?.value ?? null;
  return [numbers(`pass^${k}`, entries, value, formatShare, 7)];
}

function numbers(
  head: string,
  entries: readonly LeaderboardEntry[],
  pick: (entry: LeaderboardEntry) => number | null,
  format: (value: number) => string,
  ifNarrow?: number,
): BoardColumn {
  const values = entries.map(pick);
  const cells = values.map((value) => (value === null ? UNKNOWN : format(value)));
  return { head, cells, values, align: "right", ...(ifNarrow ? { ifNarrow } : {}) };
}

function words(
  head: string,
  entries: readonly LeaderboardEntry[],
  pick: (entry: LeaderboardEntry) => string,
  ifNarrow: number | "shorten",
): BoardColumn {
  const values = entries.map((entry) => pick(entry) || null);
  const cells = values.map((value) => (value === null ? UNKNOWN : cleanLine(value)));
  return { head, cells, values, align: "left", ifNarrow };
}

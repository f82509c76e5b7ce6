import type { LeaderboardEntry } from "../../score/index.js";
import type { Column } from "../columns.js";
import { formatCost, formatDuration, formatPercent, formatShares } from "../format.js";
import { cleanLine } from "../text.js";

const UNKNOWN = "–";

export interface BoardColumn extends Column {
  /** What the column is sorted by; null comes last. */
  values: (string | number | null)[];
}

/** The columns of the leaderboard in every format. Columns without any value are left out. */
export function buildBoardColumns(entries: readonly LeaderboardEntry[]): BoardColumn[] {
  const columns: BoardColumn[] = [
    {
      ...numbers("rank", entries, ({ rank }) => rank.best + rank.worst / 1e6, String),
      cells: entries.map(({ rank }) => formatRank(rank)),
    },
    words("agent", entries, ({ agent }) => agent, "shorten"),
    words("model", entries, ({ models }) => models.join(", "), "shorten"),
    numbers("pass rate", entries, ({ pass_rate }) => pass_rate.value, formatShare),
    {
      ...numbers("95 % interval", entries, ({ pass_rate }) => pass_rate.low, formatShare),
      cells: entries.map(({ pass_rate: { low, high } }) => formatInterval(low, high)),
    },
    {
      ...numbers("these tasks", entries, theseTasksOf, formatShare, 3),
      cells: entries.map(({ pass_rate: { these_tasks } }) =>
        formatInterval(these_tasks?.low ?? null, these_tasks?.high ?? null),
      ),
    },
    {
      ...numbers("passed", entries, ({ pass_rate }) => pass_rate.passed, String, 8),
      cells: entries.map(({ pass_rate }) => `${pass_rate.passed}/${pass_rate.of}`),
    },
    ...leftOut(entries),
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

/** `1–2` where the numbers can't tell which. */
function formatRank({ best, worst }: LeaderboardEntry["rank"]): string {
  return best === worst ? String(best) : `${best}–${worst}`;
}

function formatInterval(low: number | null, high: number | null): string {
  return low === null || high === null ? UNKNOWN : formatShares(low, high);
}

/** One attempt doesn't show how much the attempts at a task vary. */
function theseTasksOf({ pass_rate: { these_tasks, of }, tasks }: LeaderboardEntry): number | null {
  return of === tasks ? null : (these_tasks?.low ?? null);
}

/** What the rates leave out, if anything. */
function leftOut(entries: readonly LeaderboardEntry[]): BoardColumn[] {
  const apart = ({ not_scored }: LeaderboardEntry) =>
    Object.values(not_scored).reduce((sum, count) => sum + count, 0);
  const tries = ({ discarded_tries }: LeaderboardEntry) => discarded_tries;
  const errors = ({ with_errors, pass_rate }: LeaderboardEntry) => (with_errors ?? pass_rate).value;
  return [
    ...(entries.some(apart) ? [numbers("not scored", entries, apart, String)] : []),
    ...(entries.some(tries) ? [numbers("discarded", entries, tries, String)] : []),
    ...(entries.some(({ with_errors }) => with_errors)
      ? [numbers("with errors", entries, errors, formatShare)]
      : []),
  ];
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

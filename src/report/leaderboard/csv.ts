import type { Leaderboard, LeaderboardEntry } from "../../score/index.js";

type Cell = string | number | null;

const FIELDS: [name: string, pick: (entry: LeaderboardEntry) => Cell][] = [
  ["rank_best", ({ rank }) => rank.best],
  ["rank_worst", ({ rank }) => rank.worst],
  ["agent", ({ agent }) => agent],
  ["models", ({ models }) => models.join(" ")],
  ["pass_rate", ({ pass_rate }) => pass_rate.value],
  ["low", ({ pass_rate }) => pass_rate.low],
  ["high", ({ pass_rate }) => pass_rate.high],
  ["low_these_tasks", ({ pass_rate }) => pass_rate.these_tasks?.low ?? null],
  ["high_these_tasks", ({ pass_rate }) => pass_rate.these_tasks?.high ?? null],
  ["method", ({ pass_rate }) => pass_rate.method],
  ["passed", ({ pass_rate }) => pass_rate.passed],
  ["scored", ({ pass_rate }) => pass_rate.of],
  ["not_scored", ({ not_scored }) => Object.values(not_scored).reduce((a, b) => a + b, 0)],
  ["discarded_tries", ({ discarded_tries }) => discarded_tries],
  ["pass_rate_with_errors", (entry) => (entry.with_errors ?? entry.pass_rate).value],
  ["tasks", ({ tasks }) => tasks],
  ["attempts", ({ attempts }) => attempts],
  ["mean_reward", ({ mean_reward }) => mean_reward],
  ["flaky", ({ flaky }) => flaky],
  ["time_sec_per_trial", ({ per_trial }) => per_trial.time_sec],
  ["cost_usd_per_trial", ({ per_trial }) => per_trial.cost_usd],
  ["cost_usd_per_pass", ({ per_pass }) => per_pass.cost_usd],
  ["on_frontier", ({ on_frontier }) => (on_frontier === null ? null : Number(on_frontier))],
  ["submitted_at", ({ submitted_at }) => submitted_at],
  ["runs", ({ runs }) => runs.join(" ")],
];

/** Comma-separated values as in RFC 4180, with numbers as they are; unknown is empty. */
export function writeLeaderboardCsv({ boards }: Leaderboard): string {
  const rows = [
    ["board", ...FIELDS.map(([name]) => name)],
    ...boards.flatMap(({ entries }, board) =>
      entries.map((entry) => [
        String(board + 1),
        ...FIELDS.map(([, pick]) => formatCell(pick(entry))),
      ]),
    ),
  ];
  return rows.map((row) => `${row.join(",")}\r\n`).join("");
}

function formatCell(value: Cell): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  // A spreadsheet would evaluate a text that looks like a formula.
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

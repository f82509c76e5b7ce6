import type { Leaderboard, LeaderboardEntry } from "../../score/index.js";

type Cell = string | number | null;

const FIELDS: [name: string, pick: (entry: LeaderboardEntry) => Cell][] = [
  ["rank", ({ rank }) => rank],
  ["agent", ({ agent }) => agent],
  ["models", ({ models }) => models.join(" ")],
  ["pass_rate", ({ pass_rate }) => pass_rate.value],
  ["low", ({ pass_rate }) => pass_rate.low],
  ["high", ({ pass_rate }) => pass_rate.high],
  ["method", ({ pass_rate }) => pass_rate.method],
  ["passed", ({ pass_rate }) => pass_rate.passed],
  ["scored", ({ pass_rate }) => pass_rate.of],
  ["tasks", ({ tasks }) => tasks],
  ["attempts", ({ attempts }) => attempts],
  ["mean_reward", ({ mean_reward }) => mean_reward],
  ["flaky", ({ flaky }) => flaky],
  ["time_sec_per_trial", ({ per_trial }) => per_trial.time_sec],
  ["cost_usd_per_trial", ({ per_trial }) => per_trial.cost_usd],
  ["cost_usd_per_pass", ({ per_pass }) => per_pass.cost_usd],
  ["submitted_at", ({ submitted_at }) => submitted_at],
  ["runs", ({ runs }) => runs.join(" ")],
];

/** Comma-separated values as in RFC 4180, with numbers as they are; unknown is empty. */
export function writeLeaderboardCsv({ entries }: Leaderboard): string {
  const rows = [
    FIELDS.map(([name]) => name),
    ...entries.map((entry) => FIELDS.map(([, pick]) => formatCell(pick(entry)))),
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

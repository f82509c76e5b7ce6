import type { Leaderboard } from "../../score/index.js";
import { markdownTable } from "../markdown-table.js";
import { escapeMarkdown } from "../markup.js";
import { buildBoardColumns } from "./columns.js";
import { describeNotes } from "./notes.js";

export function writeLeaderboardMarkdown(board: Leaderboard): string {
  const lines = [
    "# Leaderboard",
    "",
    ...(board.entries.length > 0
      ? [...markdownTable(buildBoardColumns(board.entries), board.entries.length), ""]
      : []),
    ...describeNotes(board).map(({ text }) => `- ${escapeMarkdown(text)}`),
  ];
  return `${lines.join("\n")}\n`;
}

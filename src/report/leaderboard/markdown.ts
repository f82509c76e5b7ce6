import type { Board, Leaderboard } from "../../score/index.js";
import { markdownTable } from "../markdown-table.js";
import { escapeMarkdown } from "../markup.js";
import { buildBoardColumns } from "./columns.js";
import { buildFrontierColumns, FRONTIER, listFrontier } from "./frontier.js";
import { describeBoard, describeNotes, nameBoard } from "./notes.js";

export function writeLeaderboardMarkdown(board: Leaderboard): string {
  const lines = [
    "# Leaderboard",
    "",
    ...board.boards.flatMap((one) => writeBoard(board, one)),
    ...describeNotes(board).map(({ text }) => `- ${escapeMarkdown(text)}`),
  ];
  return `${lines.join("\n").trimEnd()}\n`;
}

function writeBoard(board: Leaderboard, one: Board): string[] {
  const { entries } = one;
  const name = nameBoard(board, one);
  const frontier = listFrontier(entries);
  return [
    ...(name === null ? [] : [`## ${name}`, ""]),
    ...(entries.length > 0
      ? [...markdownTable(buildBoardColumns(entries), entries.length), ""]
      : []),
    ...(frontier.length > 0
      ? [`${FRONTIER}:`, "", ...markdownTable(buildFrontierColumns(frontier), frontier.length), ""]
      : []),
    ...describeBoard(one, board).map(({ text }) => `- ${escapeMarkdown(text)}`),
    ...(name === null ? [] : [""]),
  ];
}

import type { Leaderboard } from "../../score/index.js";
import { drawColumns } from "../draw.js";
import type { Palette } from "../palette.js";
import { buildBoardColumns } from "./columns.js";
import { describeNotes } from "./notes.js";

/** The leaderboard on a terminal. */
export function describeLeaderboard(
  board: Leaderboard,
  columns: number,
  palette: Palette,
): string[] {
  const table = buildBoardColumns(board.entries);
  return [
    ...(board.entries.length > 0
      ? [...drawColumns(table, board.entries.length, columns, palette), ""]
      : []),
    ...describeNotes(board).map(({ text, isDoubt }) => (isDoubt ? palette.yellow(text) : text)),
  ];
}

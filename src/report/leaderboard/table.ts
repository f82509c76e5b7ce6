import type { Leaderboard } from "../../score/index.js";
import { drawColumns } from "../draw.js";
import type { Palette } from "../palette.js";
import { buildBoardColumns } from "./columns.js";
import { buildFrontierColumns, FRONTIER, listFrontier } from "./frontier.js";
import { describeBoard, describeNotes, nameBoard } from "./notes.js";

/** The leaderboard on a terminal. */
export function describeLeaderboard(
  board: Leaderboard,
  columns: number,
  palette: Palette,
): string[] {
  const boards = board.boards.flatMap((one) => {
    const name = nameBoard(board, one);
    const frontier = listFrontier(one.entries);
    return [
      ...(name === null ? [] : [palette.bold(name), ""]),
      ...draw(buildBoardColumns(one.entries), one.entries.length),
      ...(frontier.length > 0 ? [`${FRONTIER}:`] : []),
      ...draw(buildFrontierColumns(frontier), frontier.length),
      ...describeBoard(one, board).map(paint),
      ...(name === null ? [] : [""]),
    ];
  });
  return [...boards, ...describeNotes(board).map(paint)];

  function draw(table: ReturnType<typeof buildFrontierColumns>, rows: number): string[] {
    return rows === 0 ? [] : [...drawColumns(table, rows, columns, palette), ""];
  }
  function paint({ text, isDoubt }: { text: string; isDoubt: boolean }): string {
    return isDoubt ? palette.yellow(text) : text;
  }
}

import Table from "cli-table3";
import type { Column } from "./columns.js";
import { fitColumns, GAP } from "./fit.js";
import type { Palette } from "./palette.js";

/** A table as wide as the screen at most: a bold head, a rule, then the rows. */
export function drawColumns(
  all: readonly Column[],
  rows: number,
  width: number,
  palette: Palette,
): string[] {
  const fitting = fitColumns(all, width);
  const table = new Table({
    head: fitting.map((column) => palette.bold(column.head)),
    colAligns: fitting.map((column) => column.align),
    style: { head: [], border: [], compact: true, "padding-left": 0, "padding-right": 0 },
    chars: BORDERS,
  });
  for (let row = 0; row < rows; row += 1) {
    table.push(
      fitting.map(({ cells, paint }) => paint?.(cells[row] ?? "", row) ?? cells[row] ?? ""),
    );
  }
  return table
    .toString()
    .split("\n")
    .map((line) => line.trimEnd());
}

// One rule under the head; between columns only space, to leave the width to the text.
const BORDERS = {
  top: "",
  "top-left": "",
  "top-mid": "",
  "top-right": "",
  bottom: "",
  "bottom-left": "",
  "bottom-mid": "",
  "bottom-right": "",
  left: "",
  "left-mid": "",
  right: "",
  "right-mid": "",
  mid: "─",
  "mid-mid": "─".repeat(GAP),
  middle: " ".repeat(GAP),
};

import type { Column } from "./columns.js";
import { cutToWidth, measureWidth } from "./width.js";

/** Columns between two columns. */
export const GAP = 2;
/** Other columns are left out before one is shortened to less than this … */
const FAIR_WIDTH = 20;
/** … and no column is shortened to less than this. */
const MIN_WIDTH = 8;

/** Leaves columns out and shortens cells until the table fits. */
export function fitColumns(all: readonly Column[], width: number): Column[] {
  const least = (column: Column) =>
    column.ifNarrow === "shorten" ? Math.min(measure(column), FAIR_WIDTH) : measure(column);
  let kept = [...all];
  while (addUp(kept, least) > width) {
    const next = chooseToDrop(kept);
    if (!next) break;
    kept = kept.filter((column) => column !== next);
  }
  return shortenWidest(kept, width);
}

function chooseToDrop(columns: readonly Column[]): Column | undefined {
  const order = (column: Column) => (typeof column.ifNarrow === "number" ? column.ifNarrow : 0);
  return columns.filter((column) => order(column) > 0).sort((a, b) => order(a) - order(b))[0];
}

// The widest is shortened first, so that one long text doesn't shorten the others.
function shortenWidest(columns: readonly Column[], width: number): Column[] {
  const widths = new Map(columns.map((column) => [column, measure(column)]));
  const widthOf = (column: Column) => widths.get(column) ?? 0;
  const flexible = columns.filter((column) => column.ifNarrow === "shorten");
  for (let excess = addUp(columns, widthOf) - width; excess > 0; excess -= 1) {
    const widest = flexible.toSorted((a, b) => widthOf(b) - widthOf(a))[0];
    if (!widest || widthOf(widest) <= MIN_WIDTH) break;
    widths.set(widest, widthOf(widest) - 1);
  }
  return columns.map((column) => shorten(column, widthOf(column)));
}

function addUp(columns: readonly Column[], size: (column: Column) => number): number {
  return columns.reduce((sum, column) => sum + size(column), GAP * (columns.length - 1));
}

function measure(column: Column): number {
  return Math.max(...[column.head, ...column.cells].map(measureWidth));
}

function shorten(column: Column, width: number): Column {
  const cells = column.cells.map((cell) => cutToWidth(cell, width));
  return { ...column, head: cutToWidth(column.head, width), cells };
}

import { el } from "./dom.js";
import { formatCount } from "./format.js";

/** @import { Column } from "./types.js" */

const PAGE = 100;

/**
 * A table that sorts by its heads and draws its rows a hundred at a time.
 * @template T
 * @param {{ caption: string, word: string, columns: Column<T>[], sort: { id: string, down: boolean } }} options
 */
export function createTable({ caption, word, columns, sort }) {
  let order = sort;
  let limit = PAGE;
  /** @type {readonly T[]} */
  let rows = [];
  const body = el("tbody");
  const heads = columns.map(drawHead);
  const more = el("div", { class: "more" });
  const element = el(
    "div",
    {},
    el(
      "div",
      { class: "scroll" },
      el(
        "table",
        {},
        el("caption", { class: "hidden" }, caption),
        el("thead", {}, el("tr", {}, ...heads)),
        body,
      ),
    ),
    more,
  );

  /** @param {Column<T>} column */
  function drawHead(column) {
    const button = el("button", { type: "button", click: () => sortBy(column) }, column.head);
    return el("th", { scope: "col", class: classOf(column), "data-column": column.id }, button);
  }

  /** @param {Column<T>} column */
  function sortBy(column) {
    // Numbers start with the highest, names with A.
    const down = order.id === column.id ? !order.down : column.number === true;
    order = { id: column.id, down };
    draw();
  }

  /** @returns {T[]} */
  function sorted() {
    const column = columns.find(({ id }) => id === order.id) ?? columns[0];
    const sign = order.down ? -1 : 1;
    const keyed = rows.map((row) => /** @type {const} */ ([column.value(row), row]));
    keyed.sort(([a], [b]) => {
      // Unknown values come last either way.
      if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
      return (a < b ? -1 : a > b ? 1 : 0) * sign;
    });
    return keyed.map(([, row]) => row);
  }

  function draw() {
    for (const head of heads) {
      const own = head.dataset.column === order.id;
      if (own) head.setAttribute("aria-sort", order.down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    }
    const all = sorted();
    body.replaceChildren(...all.slice(0, limit).map(drawRow));
    if (all.length === 0)
      body.append(
        el("tr", {}, el("td", { colspan: columns.length, class: "none" }, `no ${word} matches`)),
      );
    drawMore(all.length);
  }

  /** @param {T} row */
  function drawRow(row) {
    return el(
      "tr",
      {},
      ...columns.map((column) => el("td", { class: classOf(column) }, column.cell(row))),
    );
  }

  /** @param {number} count */
  function drawMore(count) {
    const left = count - limit;
    more.replaceChildren();
    if (left <= 0) return;
    const show = (/** @type {number} */ rows) => () => {
      const first = limit;
      limit += rows;
      draw();
      // Keeps the focus where the reader was, instead of back at the top.
      const next = body.rows[first]?.querySelector("a, button");
      if (next instanceof HTMLElement) next.focus({ preventScroll: true });
    };
    more.append(
      el("button", { type: "button", click: show(PAGE) }, `Show ${Math.min(PAGE, left)} more`),
      el("button", { type: "button", click: show(left) }, `Show all ${formatCount(count, word)}`),
    );
  }

  return {
    element,
    /** The rows in the order they are shown, hidden ones included. */
    sorted,
    /** @param {readonly T[]} next */
    setRows(next) {
      rows = next;
      limit = PAGE;
      draw();
    },
  };
}

/**
 * @template T
 * @param {Column<T>} column
 */
function classOf(column) {
  return [column.id, column.number && "number", column.from].filter(Boolean).join(" ");
}

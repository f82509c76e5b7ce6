import type { Column } from "./columns.js";
import { cleanLine } from "./text.js";

/** A Markdown table of columns. */
export function markdownTable(columns: readonly Column[], rows: number): string[] {
  const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
  return [
    line(columns.map(({ head }) => escapeMarkdown(head))),
    line(columns.map(({ align }) => (align === "right" ? "---:" : "---"))),
    ...Array.from({ length: rows }, (_, row) =>
      line(columns.map(({ cells }) => escapeMarkdown(cells[row] ?? ""))),
    ),
  ];
}

/** One line of text that means nothing to Markdown or HTML. */
export function escapeMarkdown(text: string): string {
  return cleanLine(text).replace(
    /[\\`*_{}[\]#+!|<>&~@:$"']/g,
    (character) => `&#${character.charCodeAt(0)};`,
  );
}

/** Text for an element or a quoted attribute of a page. */
export function escapeHtml(text: string): string {
  return cleanLine(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

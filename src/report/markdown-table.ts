import type { Column } from "./columns.js";
import { escapeMarkdown } from "./markup.js";

/** A Markdown table of columns. */
export function markdownTable(columns: readonly Column[], rows: number): string[] {
  return [
    ...markdownHead(columns),
    ...Array.from({ length: rows }, (_, row) =>
      markdownRow(columns.map(({ cells }) => escapeMarkdown(cells[row] ?? ""))),
    ),
  ];
}

export function markdownHead(columns: readonly Column[]): string[] {
  return [
    markdownRow(columns.map(({ head }) => escapeMarkdown(head))),
    markdownRow(columns.map(({ align }) => (align === "right" ? "---:" : "---"))),
  ];
}

export function markdownRow(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

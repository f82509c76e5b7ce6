import type { Board, Leaderboard, LeaderboardEntry } from "../../score/index.js";
import { escapeHtml } from "../markup.js";
import { type BoardColumn, buildBoardColumns } from "./columns.js";
import { describeBoard, describeNotes, type Note, nameBoard } from "./notes.js";
import { SCRIPT, STYLE } from "./page.js";
import { drawFrontier } from "./plot.js";

/** One page that needs nothing else: no network, no library. */
export function writeLeaderboardHtml(board: Leaderboard): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>Leaderboard</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Leaderboard</h1>
${board.boards.map((one) => writeBoard(board, one)).join("\n")}
${writeNotes(describeNotes(board))}
</main>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

function writeBoard(board: Leaderboard, one: Board): string {
  const columns = buildBoardColumns(one.entries);
  const name = nameBoard(board, one);
  const caption = `caption-${board.boards.indexOf(one) + 1}`;
  return `<section>
${name === null ? "" : `<h2>${escapeHtml(name)}</h2>`}
<div class="scroll" role="region" aria-labelledby="${caption}" tabindex="0">
<table>
<caption id="${caption}">Agents by pass rate. Click a column's name to sort by it.</caption>
<thead><tr>${columns.map(writeHead).join("")}</tr></thead>
<tbody>
${one.entries.map((entry, row) => writeRow(entry, columns, row)).join("\n")}
</tbody>
</table>
</div>
<p role="status" class="quiet"></p>
${drawFrontier(one.entries)}
${writeNotes(describeBoard(one, board))}
</section>`;
}

function writeNotes(notes: readonly Note[]): string {
  if (notes.length === 0) return "";
  const items = notes.map(({ text, isDoubt }) =>
    isDoubt ? `<li class="doubt">${escapeHtml(text)}</li>` : `<li>${escapeHtml(text)}</li>`,
  );
  return `<ul>\n${items.join("\n")}\n</ul>`;
}

function writeHead({ head, align }: BoardColumn, index: number): string {
  const sorted = index === 0 ? ' aria-sort="ascending"' : "";
  return `<th scope="col" class="${align}"${sorted}><button type="button">${escapeHtml(head)}</button></th>`;
}

function writeRow(entry: LeaderboardEntry, columns: readonly BoardColumn[], row: number): string {
  const cells = columns.map(({ head, align, cells: texts, values }) => {
    const value = escapeHtml(String(values[row] ?? ""));
    const text = escapeHtml(texts[row] ?? "");
    if (head === "agent")
      return `<th scope="row" class="${align}" data-value="${value}" title="${escapeHtml(entry.spec)}">${text}</th>`;
    const shown =
      head === "95 % interval" ? `${drawBar(entry)}<span class="ends">${text}</span>` : text;
    return `<td class="${align}" data-value="${value}">${shown}</td>`;
  });
  return `<tr>${cells.join("")}</tr>`;
}

/** The interval as a line with a mark at the rate; the text beside it has the same numbers. */
function drawBar({ pass_rate: { value, low, high } }: LeaderboardEntry): string {
  if (value === null || low === null || high === null) return "";
  const percent = (share: number) => (share * 100).toFixed(2);
  return (
    '<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">' +
    `<rect class="track" x="0" y="4" width="100" height="2"/>` +
    `<rect class="range" x="${percent(low)}" y="2" width="${percent(high - low)}" height="6"/>` +
    `<rect class="mark" x="${percent(Math.min(value, 0.985))}" y="0" width="1.5" height="10"/></svg>`
  );
}

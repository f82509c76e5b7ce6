import { expect, test } from "vitest";
import { writeLeaderboardCsv } from "../../src/report/leaderboard/csv.js";
import { writeLeaderboardHtml } from "../../src/report/leaderboard/html.js";
import { writeLeaderboardMarkdown } from "../../src/report/leaderboard/markdown.js";
import { describeLeaderboard } from "../../src/report/leaderboard/table.js";
import { createPalette } from "../../src/report/palette.js";
import { rankAgents } from "../../src/score/leaderboard.js";
import { makeRun, makeTasks } from "../support/stored-run.js";

const submittedAt = "2030-01-01T00:00:00.000Z";
const twice = (failed: number) =>
  makeTasks(20, failed).map((task) => ({
    ...task,
    outcomes: [...task.outcomes, ...task.outcomes],
  }));
const board = rankAgents(
  [
    { ...makeRun({ run: "a", agent: "quick", tasks: twice(1), costUsd: 0.2 }), submittedAt },
    { ...makeRun({ run: "b", agent: '=cmd(),<b>|"x"', tasks: twice(15) }), submittedAt },
    { ...makeRun({ run: "c", agent: "once", tasks: makeTasks(20) }), submittedAt },
  ],
  2,
);

test("on a terminal", () => {
  const lines = describeLeaderboard(board, 140, createPalette(false));
  expect(`\n${lines.join("\n")}\n`).toMatchInlineSnapshot(`
    "
    rank  agent           model    pass rate  95 % interval  passed  tasks  attempts  pass^2  time/trial  cost/trial  cost/pass  submitted
    ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
       1  quick           model-x     95.0 %   84.5–100.0 %   38/40     20         2  95.0 %       10.0s       $0.20      $0.21  2030-01-01
       2  =cmd(),<b>|"x"  –           25.0 %     4.2–45.8 %   10/40     20         2  25.0 %       10.0s           –          –  2030-01-01

    2 agents on 20 tasks, at least 2 scored trials of each
    agents share a rank if their intervals overlap with the best one's; the earliest comes first
    left out: once (c): a task has only 1 of 2 scored trials required
    "
  `);
});

test("Markdown", () => {
  const rows = writeLeaderboardMarkdown(board).split("\n");
  expect(rows[4]).toContain("| 1 | quick | model-x | 95.0 % |");
  expect(rows[5]).toContain("| 2 | =cmd(),&#60;b&#62;&#124;&#34;x&#34; | – | 25.0 % |");
});

test("CSV: quoted, and no formula for a spreadsheet to run", () => {
  const rows = writeLeaderboardCsv(board).split("\r\n");
  expect(rows).toHaveLength(4);
  expect(rows[1]).toMatch(/^1,quick,model-x,0\.95,/);
  expect(rows[2]).toMatch(/^2,"'=cmd\(\),<b>\|""x""",,0\.25,/);
});

test("the page: self-contained, accessible, names are escaped", () => {
  const page = writeLeaderboardHtml(board);
  expect(page).not.toMatch(/https?:|src=|<link|<b>/);
  expect(page).toContain("Content-Security-Policy");
  expect(page).toContain('<html lang="en">');
  expect(page).toContain("<caption");
  expect(page.match(/<th scope="col"/g)).toHaveLength(
    page.match(/<button type="button">/g)?.length ?? -1,
  );
  expect(page.match(/<th scope="row"/g)).toHaveLength(2);
  expect(page).toContain('aria-sort="ascending"');
  expect(page).toContain("left out: once (c): a task has only 1 of 2 scored trials required");
});

test("no agent to rank", () => {
  const empty = rankAgents([], 1);
  expect(describeLeaderboard(empty, 80, createPalette(false))[0]).toBe(
    "0 agents on 0 tasks, at least 1 scored trial of each",
  );
  expect(writeLeaderboardHtml(empty)).toContain("<tbody>");
  expect(writeLeaderboardMarkdown(empty)).toContain("# Leaderboard");
});

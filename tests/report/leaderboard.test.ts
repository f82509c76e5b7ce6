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
  { minAttempts: 2 },
);

test("on a terminal", () => {
  const lines = describeLeaderboard(board, 140, createPalette(false));
  expect(`\n${lines.join("\n")}\n`).toMatchInlineSnapshot(`
    "
    rank  agent           model    pass rate  95 % interval  these tasks  passed  tasks  attempts  pass^2  time/trial  cost/trial  cost/pass
    ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
       1  quick           model-x     95.0 %    76.4–99.1 %  87.6–98.1 %   38/40     20         2  95.0 %       10.0s       $0.20      $0.21
       2  =cmd(),<b>|"x"  –           25.0 %    11.2–46.9 %  20.4–30.2 %   10/40     20         2  25.0 %       10.0s           –          –

    2 agents on 20 tasks, at least 2 scored trials of each
    left out: once (c): a task has only 1 of 2 scored trials required
    a rank such as 1–2 is a range: tests can't tell which place it is
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
  expect(rows[1]).toMatch(/^1,1,1,quick,model-x,0\.95,/);
  expect(rows[2]).toMatch(/^1,2,2,"'=cmd\(\),<b>\|""x""",,0\.25,/);
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
  const empty = rankAgents([], { minAttempts: 1 });
  expect(describeLeaderboard(empty, 80, createPalette(false))[0]).toBe(
    "0 agents on 0 tasks, at least 1 scored trial of each",
  );
  expect(writeLeaderboardHtml(empty)).toContain("<tbody>");
  expect(writeLeaderboardMarkdown(empty)).toContain("# Leaderboard");
});

test("several boards, a frontier and what counted once", () => {
  const runs = [
    { ...makeRun({ run: "a", agent: "best", tasks: makeTasks(20), costUsd: 2 }), submittedAt },
    {
      ...makeRun({ run: "b", agent: "cheap", tasks: makeTasks(20, 1), costUsd: 0.5 }),
      submittedAt,
    },
    { ...makeRun({ run: "c", agent: "small", tasks: makeTasks(3) }), submittedAt },
  ];
  const all = rankAgents([...runs, structuredClone(runs[0] as (typeof runs)[0])], {
    minAttempts: 1,
  });
  expect(
    `\n${describeLeaderboard(all, 80, createPalette(false)).join("\n")}\n`,
  ).toMatchInlineSnapshot(`
    "
    Board 1: 20 tasks

    rank  agent  model    pass rate  95 % interval  passed  cost/trial  cost/pass
    ─────────────────────────────────────────────────────────────────────────────
     1–2  best   model-x    100.0 %   83.9–100.0 %   20/20       $2.00      $2.00
     1–2  cheap  model-x     95.0 %    76.4–99.1 %   19/20       $0.50      $0.53

    Cost and score: nobody is both cheaper and better than these:
    agent  cost/trial  pass rate
    ────────────────────────────
    cheap       $0.50     95.0 %
    best        $2.00    100.0 %

    2 agents on 20 tasks, at least 1 scored trial of each

    Board 2: 3 tasks

    rank  agent  pass rate  95 % interval  passed  tasks  attempts  time/trial
    ──────────────────────────────────────────────────────────────────────────
       1  small    100.0 %   43.9–100.0 %     3/3      3         1       10.0s

    1 agent on 3 tasks, at least 1 scored trial of each
    ranked apart: c: lacks tasks that a has: task-04, task-05, task-06, task-07, task-08, … 12 more

    a rank such as 1–2 is a range: tests can't tell which place it is
    given more than once, counted once: a
    "
  `);
  const markdown = writeLeaderboardMarkdown(all);
  expect(markdown).toContain("## Board 2: 3 tasks");
  expect(markdown).toContain("| cheap | &#36;0.50 | 95.0 % |");
  const page = writeLeaderboardHtml(all);
  expect(page.match(/<table>/g)).toHaveLength(2);
  expect(page.match(/<circle/g)).toHaveLength(2);
  expect(page).toContain("On the frontier: cheap: 95.0 % for $0.50 a trial; best: 100.0 %");
  expect(writeLeaderboardCsv(all).split("\r\n")[3]).toMatch(/^2,1,1,small,/);
});

test("a rank that isn't certain is a range", () => {
  const close = rankAgents(
    [
      { ...makeRun({ run: "a", agent: "a", tasks: makeTasks(20) }), submittedAt },
      { ...makeRun({ run: "b", agent: "b", tasks: makeTasks(20, 1) }), submittedAt },
    ],
    { minAttempts: 1 },
  );
  expect(writeLeaderboardMarkdown(close)).toContain("| 1–2 | a |");
});

import stringWidth from "string-width";
import { expect, test } from "vitest";
import { describeComparison, writeComparisonMarkdown } from "../../src/report/comparison.js";
import { describeJudgement } from "../../src/report/judgement.js";
import { createPalette } from "../../src/report/palette.js";
import { judgeAgainstBaseline } from "../../src/score/baseline.js";
import { compareRuns } from "../../src/score/compare.js";
import { makeRun, makeTasks, type StoredTask } from "../support/stored-run.js";

const before = makeRun({ run: "before", tasks: makeTasks(40), costUsd: 0.5 });
const after = makeRun({ run: "after", tasks: makeTasks(40, 10), costUsd: 0.4, seconds: 20 });
const plain = createPalette(false);
const show = (lines: string[]) => `\n${lines.join("\n")}\n`;

test("a significant difference", () => {
  const lines = describeComparison(compareRuns(before, after, 0.05), 100, plain);
  expect(show(lines.slice(0, -1))).toMatchInlineSnapshot(`
    "
                               before           after             difference
    ────────────────────────────────────────────────────────────────────────
    pass rate         100.0 % (40/40)  75.0 % (30/40)           −25.0 points
    95 % interval        91.2–100.0 %     59.8–85.8 %  −37.5 to −12.5 points
    tasks                          40              40
    time per trial              10.0s           20.0s        +10.0s (+100 %)
    time per pass               10.0s           26.7s        +16.7s (+167 %)
    cost per trial              $0.50           $0.40         −$0.10 (−20 %)
    cost per pass               $0.50           $0.53        +$0.0333 (+7 %)
    tokens per trial            1,100           1,100              ±0 (±0 %)

    after is worse than before: 10 tasks lost, 0 won, 30 the same; −25.0 points, sign test p = 0.002
    "
  `);
  expect(lines.at(-1)).toMatch(/^lost: task-01 \(1\/1 → 0\/1\), .*task-10 \(1\/1 → 0\/1\)$/);
});

test("several attempts, other tasks, other rules", () => {
  const tasks = (outcomes: StoredTask["outcomes"][], last: string): StoredTask[] => [
    ...outcomes.map((list, index) => ({ task: `t${index}`, outcomes: list })),
    { task: last, outcomes: ["passed"] },
  ];
  const a = makeRun({
    agent: "a",
    tasks: tasks(
      [
        ["passed", "passed"],
        ["failed", "infra_error"],
        ["passed", "failed"],
      ],
      "x",
    ),
  });
  const b = makeRun({
    agent: "b",
    tasks: tasks(
      [
        ["passed", "failed"],
        ["passed", "failed"],
        ["passed", "failed"],
      ],
      "y",
    ),
    limits: { max_steps: 50 },
  });
  expect(show(writeComparisonMarkdown(compareRuns(a, b, 0.1)))).toMatchInlineSnapshot(`
    "
    **no difference you can trust: 1 task lost, 1 won, 1 the same; ±0.0 points, sign test p = 1**

    |  | a | b | difference |
    | --- | ---: | ---: | ---: |
    | pass rate | 60.0 % (3/5) | 50.0 % (3/6) |  |
    | mean of tasks | 50.0 % | 50.0 % | ±0.0 points |
    | 95 %; difference 90 % | 0.0–100.0 % | 12.5–87.5 % | −33.3 to &#43;33.3 points |
    | tasks | 3 | 3 |  |
    | time per trial | 10.0s | 10.0s | ±0.0s (±0 %) |
    | time per pass | 16.7s | 20.0s | &#43;3.3s (&#43;20 %) |

    - lost: t0 (2/2 → 1/2)
    - won: t1 (0/1 → 1/2)
    - newly flaky: t0, t1
    - not made under the same rules: max_steps 100 → 50
    - left out, only in the first: x
    - left out, only in the second: y
    "
  `);
});

test.each([60, 80, 120])("the table is not wider than %i columns", (columns) => {
  const long = makeRun({ agent: "日本語の-".repeat(20), tasks: makeTasks(40, 3) });
  const lines = describeComparison(compareRuns(before, long, 0.05), columns, plain);
  for (const line of lines.slice(0, 8)) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
});

test("names are escaped", () => {
  const hostile = makeRun({ agent: "\u001b[31m<img src=x>|`x`\n# big", tasks: makeTasks(40, 1) });
  const comparison = compareRuns(before, hostile, 0.05);
  expect(describeComparison(comparison, 100, plain).join("\n")).not.toContain("\u001b");
  const markdown = writeComparisonMarkdown(comparison).join("\n");
  expect(markdown).not.toMatch(/<img|`x`|^# big/m);
});

test("against a baseline", () => {
  const comparison = compareRuns(before, after, 0.05);
  expect(describeJudgement(judgeAgainstBaseline(comparison), comparison, undefined)).toBe(
    "baseline: after is worse than before: 10 tasks lost, 0 won, 30 the same; −25.0 points, sign test p = 0.002",
  );
  const small = compareRuns(before, makeRun({ run: "small", tasks: makeTasks(40, 1) }), 0.05);
  expect(describeJudgement(judgeAgainstBaseline(small), small, undefined)).toBe(
    "baseline: no difference you can trust: 1 task lost, 0 won, 39 the same; −2.5 points, sign test p = 1",
  );
  expect(describeJudgement(judgeAgainstBaseline(small, 0.01), small, 0.01)).toMatch(
    /^baseline: −2\.5 points, and --max-drop allows −1\.0 points \(no difference/,
  );
});

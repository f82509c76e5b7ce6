import stringWidth from "string-width";
import { expect, test } from "vitest";
import {
  describeComparison,
  describeVerdict,
  writeComparisonMarkdown,
} from "../../src/report/comparison.js";
import { describeJudgement } from "../../src/report/judgement.js";
import { createPalette } from "../../src/report/palette.js";
import { judgeAgainstBaseline } from "../../src/score/baseline.js";
import { type Comparison, compareRuns } from "../../src/score/compare.js";
import { makeRun, makeTasks, type StoredTask } from "../support/stored-run.js";

const before = makeRun({ run: "before", tasks: makeTasks(40), costUsd: 0.5 });
const after = makeRun({ run: "after", tasks: makeTasks(40, 10), costUsd: 0.4, seconds: 20 });
type Run = typeof before;
function compare(baseline: Run, candidate: Run, alpha = 0.05): Comparison {
  const [comparison] = compareRuns(baseline, [candidate], alpha);
  if (!comparison) throw new Error("nothing was compared");
  return comparison;
}
const plain = createPalette(false);
const show = (lines: string[]) => `\n${lines.join("\n")}\n`;

test("a significant difference", () => {
  const lines = describeComparison(compare(before, after), 100, plain);
  expect(show(lines.slice(0, -1))).toMatchInlineSnapshot(`
    "
                               before           after             difference
    ────────────────────────────────────────────────────────────────────────
    pass rate         100.0 % (40/40)  75.0 % (30/40)           −25.0 points
    95 % interval        91.2–100.0 %     59.8–85.8 %  −37.5 to −10.0 points
    tasks                          40              40
    time per trial              10.0s           20.0s        +10.0s (+100 %)
    time per pass               10.0s           26.7s        +16.7s (+167 %)
    cost per trial              $0.50           $0.40         −$0.10 (−20 %)
    cost per pass               $0.50           $0.53        +$0.0333 (+7 %)
    tokens per trial            1,100           1,100              ±0 (±0 %)

    after is worse than before: −25.0 points, p = 0.002; 10 tasks lower, 0 higher, 30 the same
    the smallest difference found with 80 % power: about 19.7 points
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
  expect(show(writeComparisonMarkdown(compare(a, b, 0.1)))).toMatchInlineSnapshot(`
    "
    **no difference you can trust: ±0.0 points, p = 1; 1 task lower, 1 higher, 1 the same**

    |  | a | b | difference |
    | --- | ---: | ---: | ---: |
    | pass rate | 60.0 % (3/5) | 50.0 % (3/6) |  |
    | mean of tasks | 50.0 % | 50.0 % | ±0.0 points |
    | 95 %; difference 90 % | 17.2–91.5 % | 12.5–87.5 % | −50.0 to &#43;50.0 points |
    | errors as failures | 50.0 % (3/6) | 50.0 % (3/6) |  |
    | not scored | 1 | 0 |  |
    | tasks | 3 | 3 |  |
    | time per trial | 10.0s | 10.0s | ±0.0s (±0 %) |
    | time per pass | 16.7s | 20.0s | &#43;3.3s (&#43;20 %) |

    - so few tasks and attempts can&#39;t show any difference with 80 % power
    - changed no more than noise: 2 tasks
    - not made under the same rules: max_steps 100 → 50
    - left out, only in the first: x
    - left out, only in the second: y
    "
  `);
});

test.each([60, 80, 120])("the table is not wider than %i columns", (columns) => {
  const long = makeRun({ agent: "日本語の-".repeat(20), tasks: makeTasks(40, 3) });
  const lines = describeComparison(compare(before, long), columns, plain);
  for (const line of lines.slice(0, 8)) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
});

test("names are escaped", () => {
  const hostile = makeRun({ agent: "\u001b[31m<img src=x>|`x`\n# big", tasks: makeTasks(40, 1) });
  const comparison = compare(before, hostile);
  expect(describeComparison(comparison, 100, plain).join("\n")).not.toContain("\u001b");
  const markdown = writeComparisonMarkdown(comparison).join("\n");
  expect(markdown).not.toMatch(/<img|`x`|^# big/m);
});

test("several runs: the correction is said", () => {
  const [first] = compareRuns(before, [after, before], 0.05);
  expect(first && describeVerdict(first)).toBe(
    "after is worse than before: −25.0 points, p = 0.0039 (corrected for 2 comparisons); 10 tasks lower, 0 higher, 30 the same",
  );
});

test("what isn't scored stands beside the rates", () => {
  const broken = makeRun({
    run: "broken",
    tasks: makeTasks(40).map((task, index) => ({
      ...task,
      outcomes: index < 5 ? ["passed", "infra_error"] : ["passed"],
    })),
  });
  const rows = describeComparison(compare(before, broken), 100, plain).map((line) =>
    line.replace(/ {2,}/g, " | ").trim(),
  );
  expect(rows).toContain("errors as failures | 100.0 % (40/40) | 88.9 % (40/45)");
  expect(rows).toContain("not scored | 0 | 5");
});

test("partial rewards that differ are said", () => {
  const withRewards = (run: Run, reward: number): Run => ({
    ...run,
    results: run.results.map((result) => ({ ...result, outcome: "failed", reward })),
  });
  const comparison = compare(withRewards(before, 0.75), withRewards(after, 0.25));
  const line = describeComparison(comparison, 100, plain).find((one) => one.startsWith("mean"));
  expect(line).toMatch(/^mean reward: −0\.5 \(−0\.\d+ to −0\.\d+\), p < 0\.0001$/);
});

test("against a baseline", () => {
  const judge = (candidate: Run, maxDrop?: number) =>
    describeJudgement(judgeAgainstBaseline([before], candidate, 0.05, maxDrop), maxDrop);
  const small = makeRun({ run: "small", tasks: makeTasks(40, 1) });
  expect(show(judge(after).filter((line) => !line.includes("lost:")))).toMatchInlineSnapshot(`
    "
    baseline: worse: −25.0 points on these tasks, p = 0.00098
      pass rate 100.0 % (40/40) before, 75.0 % (30/40) now
      10 tasks lower, 0 higher, 30 the same
      the smallest drop found with 80 % power: about 19.1 points
    "
  `);
  expect(show(judge(small))).toMatchInlineSnapshot(`
    "
    baseline: no drop you can trust: −2.5 points on these tasks, p = 0.5
      pass rate 100.0 % (40/40) before, 97.5 % (39/40) now
      1 task lower, 0 higher, 39 the same
      the smallest drop found with 80 % power: about 19.1 points
      changed no more than noise: 1 task
    "
  `);
  expect(judge(small, 0.01)[0]).toMatch(
    /^baseline: −2\.5 points, and --max-drop allows −1\.0 points: −2\.5 points on these tasks, p = 0\.5/,
  );
});

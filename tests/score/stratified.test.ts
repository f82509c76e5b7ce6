import { expect, test } from "vitest";
import type { TaskPair } from "../../src/score/pair.js";
import { testForWorse } from "../../src/score/stratified.js";

type Row = [passed: number, of: number, thenPassed: number, of: number];
const pairs = (...rows: Row[]): TaskPair[] =>
  rows.map(([before, all, after, then], index) => ({
    task: `t${index}`,
    baseline: { passed: before, scored: all },
    candidate: { passed: after, scored: then },
  }));
const times = (count: number, row: Row) => Array.from({ length: count }, () => row);

/*
 * numpy.convolve over scipy.stats.hypergeom(b_of + c_of, b + c, c_of).pmf(range), then the sum up to
 * the observed number of passes.
 */
test.each<[string, number, Row[]]>([
  [
    "four tasks",
    0.08730158730158732,
    [
      [5, 5, 3, 5],
      [4, 5, 2, 5],
      [1, 3, 1, 4],
      [5, 5, 5, 5],
    ],
  ],
  [
    "unequal attempts",
    0.0002781326284212287,
    [...times(3, [3, 5, 1, 5]), ...times(2, [4, 4, 2, 7])],
  ],
  ["a collapse of 5 tasks × 3", 20 ** -5, times(5, [3, 3, 0, 3])],
  ["everything better", 1, times(4, [2, 3, 3, 3])],
  ["one task: Fisher's exact test", 0.009883305548940223, [[9, 10, 3, 10]]],
  [
    "one attempt each: the sign test",
    2 ** -6,
    [...times(6, [1, 1, 0, 1]), ...times(34, [1, 1, 1, 1])],
  ],
  ["no change", 1, times(10, [3, 3, 3, 3])],
])("%s: p = %f", (_name, p, rows) => {
  expect(testForWorse(pairs(...rows)) / p).toBeCloseTo(1, 10);
});

/** Every way to deal out the passes of each task, one by one. */
function enumerate(rows: Row[]): number {
  const observed = rows.reduce((sum, [, , after]) => sum + after, 0);
  let extreme = 0;
  let all = 0;
  const deal = (row: number, sum: number): void => {
    const [before, of, after, then] = rows[row] ?? [0, 0, 0, 0];
    if (row === rows.length) {
      all += 1;
      if (sum <= observed) extreme += 1;
      return;
    }
    for (let set = 0; set < 2 ** (of + then); set += 1) {
      const members = Array.from({ length: of + then }, (_, bit) => (set >> bit) & 1);
      if (members.reduce((total, bit) => total + bit, 0) !== before + after) continue;
      deal(row + 1, sum + members.slice(of).reduce((total, bit) => total + bit, 0));
    }
  };
  deal(0, 0);
  return extreme / all;
}

test("agrees with every way to deal out the passes", () => {
  const rows: Row[] = [
    [2, 2, 1, 3],
    [1, 3, 1, 2],
    [2, 3, 0, 2],
  ];
  expect(testForWorse(pairs(...rows))).toBeCloseTo(enumerate(rows), 12);
});

test("hundreds of tasks with many attempts don't overflow", () => {
  const p = testForWorse(pairs(...times(300, [8, 10, 7, 10])));
  expect(p).toBeGreaterThan(0);
  expect(p).toBeLessThan(1e-6);
});

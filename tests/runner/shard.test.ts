import { describe, expect, test } from "vitest";
import { parseShard, takeShard } from "../../src/runner/shard.js";

interface Planned {
  trial: string;
  attempt: number;
  task: { name: string };
}

function plan(tasks: number, attempts: number): Planned[] {
  const trials: Planned[] = [];
  for (let attempt = 1; attempt <= attempts; attempt++)
    for (let task = 0; task < tasks; task++)
      trials.push({ trial: `t${task}.${attempt}`, attempt, task: { name: `t${task}` } });
  return trials;
}

function splitAll(trials: Planned[], of: number, timings?: Map<string, number>): string[][] {
  return Array.from({ length: of }, (_, place) =>
    takeShard(trials, { number: place + 1, of }, timings ?? null).map(({ trial }) => trial),
  );
}

test.each(["0/4", "5/4", "3", "a/b", "1/0", "-1/2", "1/2/3"])("%s is not a shard", (text) => {
  expect(() => parseShard(text)).toThrow(`--shard ${text}`);
});

test("3/8 is the third shard of eight", () => {
  expect(parseShard("3/8")).toEqual({ number: 3, of: 8 });
});

describe.each([
  ["without timings", undefined],
  ["with timings", new Map(plan(37, 3).map(({ trial }, place) => [trial, (place * 7919) % 101]))],
])("%s", (_, timings) => {
  const trials = plan(37, 3);

  test.each([1, 2, 4, 8, 200])("%i shards hold each trial once", (of) => {
    const parts = splitAll(trials, of, timings);
    expect(parts.flat().sort()).toEqual(trials.map(({ trial }) => trial).sort());
  });

  test("the order in which trials are listed does not matter", () => {
    const sorted = (parts: string[][]) => parts.map((part) => part.sort());
    expect(sorted(splitAll([...trials].reverse(), 5, timings))).toEqual(
      sorted(splitAll(trials, 5, timings)),
    );
  });

  test("a shard keeps the order of the plan", () => {
    const [part = []] = splitAll(trials, 4, timings);
    const order = trials.map(({ trial }) => trial);
    expect(part).toEqual([...part].sort((a, b) => order.indexOf(a) - order.indexOf(b)));
  });
});

test("shards differ by one trial at most, and attempts on a task stay together", () => {
  const parts = splitAll(plan(40, 3), 7);
  const sizes = parts.map((part) => part.length);
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
  const tasksOf = (part: string[]) => new Set(part.map((trial) => trial.split(".")[0]));
  const pieces = parts.reduce((sum, part) => sum + tasksOf(part).size, 0);
  expect(pieces).toBeLessThanOrEqual(40 + 6);
});

test("with timings the longest comes first, each in the shard with the least to do", () => {
  const timings = new Map([
    ["t0.1", 9],
    ["t1.1", 8],
    ["t2.1", 5],
    ["t3.1", 4],
    ["t4.1", 2],
  ]);
  expect(splitAll(plan(5, 1), 2, timings)).toEqual([
    ["t0.1", "t3.1", "t4.1"],
    ["t1.1", "t2.1"],
  ]);
});

test("shards are nearly even by time where by count they are far from it", () => {
  const trials = plan(100, 1);
  const timings = new Map(trials.map(({ trial }, place) => [trial, place < 10 ? 600 : 10]));
  const seconds = splitAll(trials, 4, timings).map((part) =>
    part.reduce((sum, trial) => sum + (timings.get(trial) ?? 0), 0),
  );
  expect(Math.max(...seconds)).toBeLessThanOrEqual(1800);
  expect(Math.min(...seconds)).toBeGreaterThanOrEqual(1500);
});

test("a trial without a timing is estimated from its task's others, or from all of them", () => {
  const trials = plan(3, 2);
  // t0.2 is estimated as 100, t2 as the mean of the known ones.
  const timings = new Map([
    ["t0.1", 100],
    ["t1.1", 10],
    ["t1.2", 10],
  ]);
  expect(splitAll(trials, 2, timings)).toEqual([
    ["t0.1", "t1.1", "t2.1"],
    ["t0.2", "t1.2", "t2.2"],
  ]);
});

test("times of zero are spread as well", () => {
  const trials = plan(8, 1);
  const timings = new Map(trials.map(({ trial }) => [trial, 0]));
  expect(splitAll(trials, 4, timings).map((part) => part.length)).toEqual([2, 2, 2, 2]);
});

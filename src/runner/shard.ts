import { createHash } from "node:crypto";
import { TermRunError } from "../errors.js";

/** One share of a run that is split between machines. */
export interface Shard {
  /** From 1. */
  number: number;
  of: number;
}

/** What is known about a planned trial when a run is split. */
interface Splittable {
  trial: string;
  attempt: number;
  task: { name: string };
}

/** `3/8` */
export function parseShard(text: string): Shard {
  const [, number, of] = text.match(/^(\d+)\/(\d+)$/) ?? [];
  const shard = { number: Number(number), of: Number(of) };
  if (shard.number >= 1 && shard.number <= shard.of) return shard;
  throw new TermRunError("usage", `--shard ${text}: it must be like 3/8, the third shard of eight`);
}

/**
 * The trials of one shard. Machines that are given the same trials compute the same shards, whatever
 * the order; together the shards hold each trial once.
 */
export function takeShard<T extends Splittable>(
  trials: readonly T[],
  shard: Shard,
  /** Past durations in seconds, by the name of the trial. */
  timings: ReadonlyMap<string, number> | null = null,
): T[] {
  const names = timings
    ? splitByTime(trials, shard.of, timings)[shard.number - 1]
    : splitByCount(trials, shard);
  const wanted = new Set(names);
  return trials.filter(({ trial }) => wanted.has(trial));
}

// Attempts on a task stay together where possible, so that its image is built once. Tasks are ordered
// by a hash, because tasks with similar names tend to take a similar time.
function splitByCount(trials: readonly Splittable[], { number, of }: Shard): string[] {
  const keyed = trials.map((planned) => ({ planned, key: hashName(planned.task.name) }));
  keyed.sort((a, b) => compare(a.key, b.key) || a.planned.attempt - b.planned.attempt);
  const cut = (shard: number) => Math.floor((shard * keyed.length) / of);
  return keyed.slice(cut(number - 1), cut(number)).map(({ planned }) => planned.trial);
}

// The longest first, each to the shard that has the least to do.
function splitByTime(
  trials: readonly Splittable[],
  of: number,
  timings: ReadonlyMap<string, number>,
): string[][] {
  const estimate = makeEstimate(trials, timings);
  const timed = trials.map((planned) => ({ trial: planned.trial, seconds: estimate(planned) }));
  timed.sort((a, b) => b.seconds - a.seconds || compare(a.trial, b.trial));
  const shards = Array.from({ length: of }, () => ({ seconds: 0, trials: [] as string[] }));
  for (const { trial, seconds } of timed) {
    // Among equals the one with fewer trials, then the first: zeros are spread as well.
    const [least] = [...shards].sort(
      (a, b) => a.seconds - b.seconds || a.trials.length - b.trials.length,
    );
    if (!least) break;
    least.seconds += seconds;
    least.trials.push(trial);
  }
  return shards.map((shard) => shard.trials);
}

/** The time of the trial itself, else of its task's other attempts, else of all. */
function makeEstimate(
  trials: readonly Splittable[],
  timings: ReadonlyMap<string, number>,
): (planned: Splittable) => number {
  const byTask = new Map<string, number[]>();
  for (const { trial, task } of trials) {
    const seconds = timings.get(trial);
    if (seconds !== undefined) byTask.set(task.name, [...(byTask.get(task.name) ?? []), seconds]);
  }
  const typical = average([...byTask.values()].flat()) ?? 1;
  return ({ trial, task }) => timings.get(trial) ?? average(byTask.get(task.name) ?? []) ?? typical;
}

function average(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function hashName(name: string): string {
  return createHash("sha256").update(name).digest("hex");
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

import { resolve } from "node:path";
import { TermRunError } from "../errors.js";
import { isFinal, type RunRecord, readRun } from "../events/index.js";
import { type PlannedTrial, parseShard, takeShard } from "../runner/index.js";

export interface ShardFlags {
  shard?: string;
  timings?: string;
}

/** The trials that this machine runs: all of them, unless a shard is given. */
export async function pickShard(
  all: Omit<PlannedTrial, "agent">[],
  flags: ShardFlags,
): Promise<{ trials: Omit<PlannedTrial, "agent">[]; shard?: NonNullable<RunRecord["shard"]> }> {
  if (flags.shard === undefined) {
    if (flags.timings === undefined) return { trials: all };
    throw new TermRunError("usage", "--timings balances shards: it needs --shard");
  }
  const shard = parseShard(flags.shard);
  const timings = flags.timings === undefined ? null : await readTimings(flags.timings);
  return { trials: takeShard(all, shard, timings), shard: { ...shard, trials: all.length } };
}

// A trial that was cut short doesn't show how long it takes.
async function readTimings(dir: string): Promise<Map<string, number>> {
  const { results } = await readRun(resolve(dir));
  const timed = results.filter(({ outcome }) => isFinal(outcome));
  return new Map(timed.map(({ trial, durations }) => [trial, durations.total_sec]));
}

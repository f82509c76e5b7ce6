import { FORMAT_VERSION } from "../events/index.js";
import { type AgentScore, type ScoredAgent, scoreAgent } from "./agent-score.js";
import { findFrontier } from "./frontier.js";
import { groupByAgent } from "./identity.js";
import { listMixtures } from "./mixture.js";
import { type RankRange, rankPairwise } from "./ranks.js";
import { describeConditions, listDigests } from "./rules.js";
import type { SubmittedRun } from "./scored-run.js";
import { dropDuplicates } from "./twice.js";

export interface LeaderboardEntry extends AgentScore {
  /** Both are the same where every comparison with the others is clear. */
  rank: RankRange;
  /** No other agent is both cheaper and better; null if the cost of some trial is unknown. */
  on_frontier: boolean | null;
}

/** Agents that can be compared: on the same tasks, under the same rules. */
export interface Board {
  tasks: { task: string; task_digest: string }[];
  /** In which rules or tasks it differs from the first board; empty for the first. */
  differs: string[];
  entries: LeaderboardEntry[];
  left_out: { agent: string; runs: string[]; reason: string }[];
  /** Why these runs should not be in one table; only if that was allowed. */
  mixed: string[];
}

export interface Leaderboard {
  format_version: number;
  min_attempts: number;
  alpha: number;
  boards: Board[];
  /** Runs that were given more than once, by whatever name of the folder. */
  duplicates: string[];
  /** Runs of built-in agents, which are no competitors. */
  builtin: string[];
}

export interface LeaderboardOptions {
  minAttempts: number;
  /** One table, even if tasks or rules differ. */
  allowMixed?: boolean;
  /** Names of agents to leave out. */
  builtin?: ReadonlySet<string>;
}

const ALPHA = 0.05;

/** Ranks agents by pass rate, in one table for each set of tasks and rules. */
export function rankAgents(
  given: readonly SubmittedRun[],
  { minAttempts, allowMixed = false, builtin = new Set() }: LeaderboardOptions,
): Leaderboard {
  const { runs: once, duplicates } = dropDuplicates(given);
  const isBuiltin = ({ record }: SubmittedRun) => builtin.has(record.agent.spec);
  const runs = once.filter((run) => !isBuiltin(run));
  const groups = allowMixed ? [runs] : groupByConditions(runs);
  const [first] = groups;
  return {
    format_version: FORMAT_VERSION,
    min_attempts: minAttempts,
    alpha: ALPHA,
    boards: groups.map((group) => ({
      ...makeBoard(group, minAttempts),
      differs: group === first ? [] : listDifferences(first, group),
    })),
    duplicates,
    builtin: once.filter(isBuiltin).map(({ record }) => record.run),
  };
}

function makeBoard(runs: readonly SubmittedRun[], minAttempts: number): Omit<Board, "differs"> {
  const scores = groupByAgent(runs).map(scoreAgent);
  const isComplete = ({ score }: ScoredAgent) => score.attempts >= minAttempts;
  const tasks = new Map(runs.flatMap(({ record }) => [...listDigests(record)]));
  return {
    tasks: [...tasks]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([task, task_digest]) => ({ task, task_digest })),
    entries: order(scores.filter(isComplete)),
    left_out: scores
      .filter((scored) => !isComplete(scored))
      .map(({ score: { agent, runs: names, attempts } }) => ({
        agent,
        runs: names,
        reason: `a task has only ${attempts} of ${minAttempts} scored trials required`,
      })),
    mixed: listMixtures(runs.map((run) => run.record)),
  };
}

/** By rate, then by name: nobody's place depends on when it was submitted. */
function order(agents: readonly ScoredAgent[]): LeaderboardEntry[] {
  const rate = ({ score }: ScoredAgent) => score.pass_rate.value ?? -1;
  const name = ({ score }: ScoredAgent) => `${score.agent}\n${score.spec}\n${score.models.join()}`;
  const sorted = agents.toSorted((a, b) => rate(b) - rate(a) || (name(a) < name(b) ? -1 : 1));
  const ranks = rankPairwise(
    sorted.map(({ shares }) => shares),
    ALPHA,
  );
  const frontier = findFrontier(sorted.map(({ score }) => score));
  return sorted.map(({ score }, index) => ({
    rank: ranks[index] as RankRange,
    on_frontier: frontier[index] ?? null,
    ...score,
  }));
}

/** The largest group first. */
function groupByConditions(runs: readonly SubmittedRun[]): SubmittedRun[][] {
  const groups = new Map<string, SubmittedRun[]>();
  for (const run of runs) {
    const key = describeConditions(run.record);
    groups.set(key, [...(groups.get(key) ?? []), run]);
  }
  // Runs are counted by agent, so that many runs of one agent don't make a board important.
  const size = (group: SubmittedRun[]) => groupByAgent(group).length;
  const sorted = [...groups].sort(([a, x], [b, y]) => size(y) - size(x) || (a < b ? -1 : 1));
  return sorted.length === 0 ? [[]] : sorted.map(([, group]) => group);
}

function listDifferences(first: SubmittedRun[] | undefined, group: SubmittedRun[]): string[] {
  const records = [first?.[0], group[0]].flatMap((run) => (run ? [run.record] : []));
  return listMixtures(records);
}

export { type Judgement, judgeAgainstBaseline } from "./baseline.js";
export { type ComparedSide, type Comparison, compareRuns } from "./compare.js";
export {
  type Board,
  type Leaderboard,
  type LeaderboardEntry,
  rankAgents,
} from "./leaderboard.js";
export { decideOutcome } from "./outcome.js";
export type { TaskPair } from "./pair.js";
export {
  type Assumptions,
  assumeNoise,
  type Found,
  findDetectable,
  type Planned,
  planTasks,
  readPilot,
} from "./plan.js";
export { compareRules, listDigests } from "./rules.js";
export type { SubmittedRun } from "./scored-run.js";
export { summarize } from "./summary.js";
export { sumTries, sumUsage } from "./usage.js";
export { computeRate } from "./wilson.js";

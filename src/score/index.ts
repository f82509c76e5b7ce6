export { type Judgement, judgeAgainstBaseline } from "./baseline.js";
export { type Comparison, compareRuns, type Side } from "./compare.js";
export {
  type Leaderboard,
  type LeaderboardEntry,
  rankAgents,
  type SubmittedRun,
} from "./leaderboard.js";
export { decideOutcome } from "./outcome.js";
export type { TaskPair } from "./pair.js";
export { compareRules, listDigests } from "./rules.js";
export { summarize } from "./summary.js";
export { sumTries, sumUsage } from "./usage.js";
export { computeRate } from "./wilson.js";

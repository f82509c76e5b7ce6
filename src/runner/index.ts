export { DEFAULT_LIMITS, describeLimits, NO_LIMITS, readLimits } from "./limits.js";
export { mergeRuns } from "./merge.js";
export { combine } from "./parts.js";
export { nameTrial, planTrials, selectTasks } from "./plan.js";
export { startRun } from "./run.js";
export { withScratchFolder } from "./scratch.js";
export { parseShard, takeShard } from "./shard.js";
export type { PartEnd, PlannedTrial, Run } from "./types.js";
export { UsageMeter } from "./usage.js";

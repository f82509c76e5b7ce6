export { secondsOf } from "./duration.js";
export { openLines, readJson, stageJson, writeJson } from "./files.js";
export { findLastPosition } from "./log-tail.js";
export {
  isFinal,
  isScored,
  OUTCOMES,
  type Outcome,
  type OutcomeTraits,
  traitsOf,
} from "./outcomes.js";
export { readStory } from "./read-story.js";
export {
  type AgentEnd,
  type ErrorRecord,
  FORMAT_VERSION,
  type GroupSummary,
  type Interval,
  type PerPass,
  type PerTrial,
  type ProcessRecord,
  type Rate,
  type RateOfK,
  type RunRecord,
  type RunSummary,
  type Share,
  type TaskSummary,
  type TrialResult,
  type UsageTotals,
} from "./records.js";
export { Redactor } from "./redact.js";
export { redactChunks, redactFolder } from "./redact-files.js";
export type {
  DownloadLimitsRecord,
  LeashKind,
  LimitsRecord,
  OriginRecord,
} from "./rule-records.js";
export { readEvents, readRun, type StoredRun, trialFolder } from "./run-folder.js";
export { RunLog } from "./run-log.js";
export type { Story, StoryCommand, StoryPart, StoryStep } from "./story.js";
export type { Emit, Event, EventBody, RunEvent, TrialEvent } from "./types.js";

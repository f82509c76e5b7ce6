export type { ConfigSources } from "./config/config.js";
export type { ModelConfig, Price, ProviderName } from "./config/types.js";
export { claude, createModel, openaiCompatible, type ProviderConfig } from "./create-model.js";
export { AgentError, type AgentErrorKind } from "./errors.js";
export { recordModel } from "./recording/record.js";
export { type ReplayOptions, replayModel } from "./recording/replay.js";
export { defineTool, type Tool, type ToolContext } from "./tool.js";
export type {
  AgentErrorLike,
  AssistantMessage,
  Block,
  Message,
  Model,
  ModelRequest,
  ModelResponse,
  Retry,
  StopReason,
  ToolCall,
  ToolResultMessage,
  Usage,
  UserMessage,
} from "./types.js";
export { UsageTotals } from "./usage.js";

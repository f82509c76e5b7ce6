import type { Tool } from "./tool.js";

/** A large language model, whoever serves it. It keeps nothing between calls. */
export interface Model {
  /** As the provider names it. */
  readonly name: string;
  /** Tokens that a request and its answer may have together; null when unknown. */
  readonly contextTokens: number | null;
  /** Rejects with an AgentError. Aborting the signal ends the call at once. */
  run(request: ModelRequest, signal?: AbortSignal): Promise<ModelResponse>;
}

export interface ModelRequest {
  messages: readonly Message[];
  system?: string;
  tools?: readonly Tool[];
  /** The most tokens that the answer may have. */
  maxTokens?: number;
  temperature?: number;
  /** Told of each part of the answer once it is complete, in order. */
  onBlock?(block: Block): void;
  /** Told before the call is made anew; what `onBlock` said of the broken one is void. */
  onRetry?(retry: Retry): void;
}

export type Block =
  | { type: "reasoning"; text: string }
  | { type: "text"; text: string }
  | { type: "toolCall"; call: ToolCall };

export interface Retry {
  /** Of the attempt to come: 2 or more. */
  attempt: number;
  delayMs: number;
  reason: AgentErrorLike;
}

/** What a listener needs to know of an AgentError. */
export interface AgentErrorLike {
  kind: string;
  message: string;
}

export type StopReason = "complete" | "tool_use" | "max_tokens";

export interface ModelResponse {
  content: string;
  /** The model's thinking, where the provider shows it. */
  reasoning: string;
  toolCalls: ToolCall[];
  usage: Usage;
  stopReason: StopReason;
  /** The turn to append to the conversation before the tools' results. */
  message: AssistantMessage;
}

export interface ToolCall {
  id: string;
  name: string;
  arguments: Record<string, unknown>;
  /** Why the arguments can't be used, such as JSON that doesn't parse. */
  invalid?: string;
}

export interface Usage {
  /** The model that answered. */
  model: string;
  /** The whole request: fresh, read from the cache and written to it; null when not told. */
  inputTokens: number | null;
  /** Null when the server doesn't tell. */
  outputTokens: number | null;
  /** Of the input tokens, those read from the provider's cache; null where it doesn't say. */
  cachedTokens: number | null;
  /** Of the input tokens, those written to the provider's cache; null where it doesn't say. */
  cacheWriteTokens: number | null;
  /** Null when no price is known. */
  costUsd: number | null;
}

export type Message = UserMessage | AssistantMessage | ToolResultMessage;

export interface UserMessage {
  role: "user";
  content: string;
}

export interface AssistantMessage {
  role: "assistant";
  content: string;
  toolCalls: readonly ToolCall[];
  reasoning?: string;
  /** The turn in the provider's own form, for what only that provider understands. */
  native?: { provider: string; content: unknown };
}

export interface ToolResultMessage {
  role: "tool_result";
  toolCallId: string;
  content: string;
  isError: boolean;
}

import type { Tool } from "./tool.js";

/** A large language model of any provider. Stateless between calls. */
export interface Model {
  /** The provider's name for it. */
  readonly name: string;
  /** Context window: tokens of a request and its response together; null if unknown. */
  readonly contextTokens: number | null;
  /** Rejects with an AgentError. Aborting the signal cancels the call at once. */
  run(request: ModelRequest, signal?: AbortSignal): Promise<ModelResponse>;
}

export interface ModelRequest {
  messages: readonly Message[];
  system?: string;
  tools?: readonly Tool[];
  /** Maximum tokens in the response. */
  maxTokens?: number;
  temperature?: number;
  /** Called with each part of the response once it is complete, in order. */
  onBlock?(block: Block): void;
  /** Called before a retry. Discard the blocks that `onBlock` received from the broken call. */
  onRetry?(retry: Retry): void;
}

export type Block =
  | { type: "reasoning"; text: string }
  | { type: "text"; text: string }
  | { type: "toolCall"; call: ToolCall };

export interface Retry {
  /** The number of the next attempt: 2 or more. */
  attempt: number;
  delayMs: number;
  reason: AgentErrorLike;
}

/** What a listener needs to know about an AgentError. */
export interface AgentErrorLike {
  kind: string;
  message: string;
}

export type StopReason = "complete" | "tool_use" | "max_tokens";

export interface ModelResponse {
  content: string;
  /** The model's thinking, if the provider returns it. */
  reasoning: string;
  toolCalls: ToolCall[];
  usage: Usage;
  stopReason: StopReason;
  /** The turn to append to the conversation before the tool results. */
  message: AssistantMessage;
}

export interface ToolCall {
  id: string;
  name: string;
  arguments: Record<string, unknown>;
  /** Why the arguments are invalid, such as JSON that doesn't parse. */
  invalid?: string;
}

export interface Usage {
  /** The model that responded. */
  model: string;
  /** The whole request: uncached, read from the cache and written to it; null if not reported. */
  inputTokens: number | null;
  /** Null if not reported. */
  outputTokens: number | null;
  /** Of the input tokens, those read from the provider's cache; null if not reported. */
  cachedTokens: number | null;
  /** Of the input tokens, those written to the provider's cache; null if not reported. */
  cacheWriteTokens: number | null;
  /** Null if the price is unknown. */
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
  /** The turn in the provider's own format, for data that only this provider understands. */
  native?: { provider: string; content: unknown };
}

export interface ToolResultMessage {
  role: "tool_result";
  toolCallId: string;
  content: string;
  isError: boolean;
}

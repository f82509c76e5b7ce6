import type { Message, Model } from "../llm/types.js";
import type { UsageTotals } from "../llm/usage.js";

export interface HarnessConfig {
  model: Model;
  /** The system prompt. */
  system?: string;
  /** Model calls per prompt. Default: 10. */
  maxTurns?: number;
  /** Tokens per model response. Default: the model's configuration, usually 4096. */
  maxTokens?: number;
  temperature?: number;
  /** Returns the messages to send, for example a view that fits the model's context window. */
  fit?(messages: readonly Message[]): readonly Message[];
}

export interface PromptEnd {
  /**
   * `complete`: the model responded without a tool call. `max_turns`: it was still calling tools.
   * `max_tokens`: its last response was cut off and had no tool call.
   */
  reason: "complete" | "max_turns" | "max_tokens";
  /** The model's last text; may be empty. */
  text: string;
  turns: number;
  usage: UsageTotals;
}

export type Status = "thinking" | "running_tool" | "retrying" | "idle";

export interface HarnessEvents {
  user: { content: string };
  reasoning: { content: string };
  text: { content: string };
  toolCall: { id: string; name: string; arguments: Readonly<Record<string, unknown>> };
  toolResult: { id: string; name: string; result: string; isError: boolean };
  /** `tool` is set while one runs. On `retrying`, discard the events of the broken response. */
  status: { state: Status; message: string; tool?: string };
}

/** Receives events synchronously and in order, so it must not block. All methods are optional. */
export type Handler = {
  [Name in keyof HarnessEvents]?: (event: HarnessEvents[Name] & { timestamp: number }) => void;
};

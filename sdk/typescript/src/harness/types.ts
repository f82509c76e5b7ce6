import type { Message, Model } from "../llm/types.js";
import type { UsageTotals } from "../llm/usage.js";

export interface HarnessConfig {
  model: Model;
  /** Instructions that stand above the conversation. */
  system?: string;
  /** Model calls for one prompt; 10. */
  maxTurns?: number;
  /** Tokens for one answer; what the model is configured for when left out, usually 4096. */
  maxTokens?: number;
  temperature?: number;
  /** What of the conversation is sent: a view that fits the model's window, for example. */
  fit?(messages: readonly Message[]): readonly Message[];
}

export interface PromptEnd {
  /**
   * `complete`: the model answered without a tool call. `max_turns`: it still wanted to go on.
   * `max_tokens`: its last answer was cut, and no tool call was in it.
   */
  reason: "complete" | "max_turns" | "max_tokens";
  /** What the model said last; may be empty. */
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
  /** `tool` is set while one runs. `retrying` makes void what a broken answer said so far. */
  status: { state: Status; message: string; tool?: string };
}

/** Hears what happens, in order and at once, so it must not block. Every method is optional. */
export type Handler = {
  [Name in keyof HarnessEvents]?: (event: HarnessEvents[Name] & { timestamp: number }) => void;
};

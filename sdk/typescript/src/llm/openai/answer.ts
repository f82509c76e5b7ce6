import { randomUUID } from "node:crypto";
import type { ChatCompletionChunk } from "openai/resources/chat/completions";
import { readToolCall } from "../tool-call.js";
import type { Block, ToolCall } from "../types.js";
import type { TokenCounts } from "../usage.js";

export const PROVIDER = "openai";

/** The format has no field for thinking; servers use one of these. */
const REASONING_FIELDS = ["reasoning_content", "reasoning"] as const;
export type ReasoningField = (typeof REASONING_FIELDS)[number];

type Delta = ChatCompletionChunk.Choice.Delta & Partial<Record<ReasoningField, string | null>>;
type CallDelta = NonNullable<Delta["tool_calls"]>[number];
type Part = Exclude<Block, { type: "toolCall" }> | OpenCall;
interface OpenCall {
  type: "toolCall";
  index: number | undefined;
  id: string;
  name: string;
  json: string;
}

/** Assembles a response from its chunks. A part is complete when the next one begins. */
export class OpenaiAnswer {
  content = "";
  reasoning = "";
  reasoningField: ReasoningField | null = null;
  readonly toolCalls: ToolCall[] = [];
  model = "";
  finishReason: string | null = null;
  #usage: ChatCompletionChunk["usage"] = null;
  #open: Part | null = null;

  /** Returns the blocks that this chunk completes. */
  add(chunk: ChatCompletionChunk): Block[] {
    this.model ||= chunk.model ?? "";
    this.#usage = chunk.usage ?? this.#usage;
    const choice = chunk.choices?.[0];
    if (!choice) return [];
    this.finishReason = choice.finish_reason ?? this.finishReason;
    const delta: Delta = choice.delta ?? {};
    const complete: (Block | null)[] = [];
    for (const field of REASONING_FIELDS) {
      // Some servers send the same text in both.
      if (!delta[field] || (this.reasoningField ?? field) !== field) continue;
      this.reasoningField = field;
      this.reasoning += delta[field];
      complete.push(this.#extend("reasoning", delta[field]));
    }
    if (delta.content) {
      this.content += delta.content;
      complete.push(this.#extend("text", delta.content));
    }
    for (const call of delta.tool_calls ?? []) complete.push(this.#extendCall(call));
    return complete.filter((block) => block !== null);
  }

  /** Returns the last block. */
  end(): Block | null {
    return this.#begin(null);
  }

  counts(): TokenCounts {
    return {
      inputTokens: this.#usage?.prompt_tokens ?? null,
      outputTokens: this.#usage?.completion_tokens ?? null,
      cachedTokens: this.#usage?.prompt_tokens_details?.cached_tokens ?? null,
      cacheWriteTokens: null,
    };
  }

  #extend(type: "reasoning" | "text", text: string): Block | null {
    if (this.#open?.type === type) {
      this.#open.text += text;
      return null;
    }
    return this.#begin({ type, text });
  }

  #extendCall({ index, id, function: part }: CallDelta): Block | null {
    const open = this.#open;
    const name = part?.name ?? "";
    const json = part?.arguments ?? "";
    // Some servers omit the index and send each call in one piece.
    const same = index === undefined ? !id : open?.type === "toolCall" && open.index === index;
    if (open?.type === "toolCall" && same) {
      open.name ||= name;
      open.json += json;
      return null;
    }
    return this.#begin({ type: "toolCall", index, id: id || `call_${randomUUID()}`, name, json });
  }

  #begin(part: Part | null): Block | null {
    const done = this.#open;
    this.#open = part;
    if (done?.type !== "toolCall") return done;
    const call = readToolCall(done.id, done.name, done.json);
    this.toolCalls.push(call);
    return { type: "toolCall", call };
  }
}

import type {
  ContentBlockParam,
  MessageDeltaUsage,
  RawMessageStreamEvent,
} from "@anthropic-ai/sdk/resources/messages";
import { BrokenStream } from "../failure.js";
import { readToolCall } from "../tool-call.js";
import type { Block, ToolCall } from "../types.js";
import type { TokenCounts } from "../usage.js";

/** Assembles a response from its stream events. */
export class ClaudeAnswer {
  readonly blocks: ContentBlockParam[] = [];
  readonly toolCalls: ToolCall[] = [];
  readonly texts: string[] = [];
  readonly reasoning: string[] = [];
  model = "";
  stopReason: string | null = null;
  complete = false;
  #usage: Partial<MessageDeltaUsage> = {};
  /** The block being streamed, and the JSON of its arguments so far. */
  #open: { index: number; block: Record<string, unknown>; json: string } | null = null;

  /** Returns the block that this event completes. */
  add(event: RawMessageStreamEvent): Block | null {
    switch (event.type) {
      case "message_start":
        this.model = event.message.model;
        this.#count(event.message.usage);
        return null;
      case "content_block_start":
        this.#open = { index: event.index, block: { ...event.content_block }, json: "" };
        return null;
      case "content_block_delta":
        this.#extend(event.index, event.delta);
        return null;
      case "content_block_stop":
        return this.#close(event.index);
      case "message_delta":
        this.stopReason = event.delta.stop_reason;
        this.#count(event.usage);
        return null;
      case "message_stop":
        this.complete = true;
        return null;
      default:
        // The API may add event types at any time.
        return null;
    }
  }

  counts(): TokenCounts {
    const { input_tokens, output_tokens, ...usage } = this.#usage;
    const read = usage.cache_read_input_tokens ?? null;
    const written = usage.cache_creation_input_tokens ?? null;
    const fresh = input_tokens ?? null;
    return {
      inputTokens: fresh === null ? null : fresh + (read ?? 0) + (written ?? 0),
      outputTokens: output_tokens ?? null,
      cachedTokens: read,
      cacheWriteTokens: written,
    };
  }

  /** Later counts are totals and replace earlier ones; null means unchanged. */
  #count(usage: object): void {
    const counts = Object.entries(usage).filter(([, value]) => value !== null);
    this.#usage = { ...this.#usage, ...Object.fromEntries(counts) };
  }

  #extend(
    index: number,
    delta: Extract<RawMessageStreamEvent, { type: "content_block_delta" }>["delta"],
  ): void {
    const open = this.#openAt(index);
    const append = (field: string, text: string) => {
      open.block[field] = `${open.block[field] ?? ""}${text}`;
    };
    if (delta.type === "text_delta") append("text", delta.text);
    if (delta.type === "thinking_delta") append("thinking", delta.thinking);
    if (delta.type === "signature_delta") append("signature", delta.signature);
    if (delta.type === "input_json_delta") open.json += delta.partial_json;
  }

  #close(index: number): Block | null {
    const { block, json } = this.#openAt(index);
    this.#open = null;
    if (block.type === "tool_use") {
      const call = readToolCall(String(block.id), String(block.name), json);
      this.blocks.push({ ...block, input: call.arguments } as ContentBlockParam);
      this.toolCalls.push(call);
      return { type: "toolCall", call };
    }
    const text = String(block.type === "thinking" ? block.thinking : (block.text ?? ""));
    // The API sometimes sends empty texts, but rejects them in a request.
    if (block.type !== "text" || text !== "") this.blocks.push(block as never);
    if (text === "") return null;
    const type = block.type === "thinking" ? "reasoning" : "text";
    (type === "reasoning" ? this.reasoning : this.texts).push(text);
    return { type, text };
  }

  #openAt(index: number) {
    if (this.#open?.index === index) return this.#open;
    throw new BrokenStream(`the model's response continues block ${index}, which isn't open`);
  }
}

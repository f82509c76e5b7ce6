import type { Message, ToolResultMessage } from "../llm/types.js";
import { truncateMiddle } from "./truncate.js";

/** A conservative guess, used until the first response shows how the model counts. */
const CHARS_PER_TOKEN = 3;
/** Characters kept of a shortened result. */
const KEPT_CHARS = 400;
/** Results are shortened down to this share of the budget, so that it is rarely needed. */
const MARGIN = 0.6;

/**
 * Keeps requests within the model's context window by shortening tool results, oldest first.
 * A shortened result stays shortened: a prefix that changed at every step couldn't be cached.
 */
export class ContextWindow {
  readonly #budget: number;
  readonly #overhead: number;
  #shortened = 0;
  #sentChars = 0;
  #measured: { chars: number; tokens: number } | null = null;

  /** `budget`: tokens per request. `overhead`: characters sent in addition to the messages. */
  constructor(budget: number, overhead = 0) {
    this.#budget = budget;
    this.#overhead = overhead;
  }

  /** Reports the provider's token count for the last result of `fit`. */
  measure(tokens: number): void {
    this.#measured = { chars: this.#sentChars, tokens };
  }

  fit(messages: readonly Message[]): readonly Message[] {
    const view = messages.map((message, at) =>
      at < this.#shortened ? shortenMessage(message) : message,
    );
    let chars = this.#overhead + countAll(view);
    if (this.#tokensIn(chars) > this.#budget) {
      // Never the last result: the model hasn't seen it yet.
      for (; this.#shortened < view.length - 1; this.#shortened++) {
        if (this.#tokensIn(chars) <= this.#budget * MARGIN) break;
        const message = view[this.#shortened] as Message;
        const short = shortenMessage(message);
        chars += count(short) - count(message);
        view[this.#shortened] = short;
      }
    }
    this.#sentChars = chars;
    return view;
  }

  /** Extrapolates from the last measurement, pessimistically for both growth and cuts. */
  #tokensIn(chars: number): number {
    if (!this.#measured) return chars / CHARS_PER_TOKEN;
    const { chars: before, tokens } = this.#measured;
    const measured = Math.max(1, before / Math.max(1, tokens));
    const perToken = chars > before ? Math.min : Math.max;
    return tokens + (chars - before) / perToken(measured, CHARS_PER_TOKEN);
  }
}

function shortenMessage(message: Message): Message {
  if (message.role !== "tool_result") return message;
  return { ...message, content: shorten(message) };
}

function shorten({ content }: ToolResultMessage): string {
  // The marker line would make a barely longer text no shorter.
  if (content.length <= KEPT_CHARS * 1.5) return content;
  return truncateMiddle(content, KEPT_CHARS, ", shortened to save space");
}

function countAll(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + count(message), 0);
}

function count(message: Message): number {
  if (message.role !== "assistant") return message.content.length;
  const calls = message.toolCalls.map((call) => JSON.stringify(call.arguments).length);
  return message.content.length + calls.reduce((sum, length) => sum + length, 0);
}

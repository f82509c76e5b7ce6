import type { Message, ToolResultMessage } from "../llm/types.js";
import { cutMiddle } from "./cut.js";

/** Before the first answer tells how this model counts. A guess on the safe side. */
const CHARS_PER_TOKEN = 3;
/** What is kept of a result that is shortened. */
const KEPT_CHARS = 400;
/** Shortening goes on down to this share of the room, so that it is seldom needed. */
const MARGIN = 0.6;

/**
 * Keeps what is sent within the model's window by shortening tool results, the oldest first.
 * One that was shortened stays so: a prefix that changed at every step could not be cached.
 */
export class ContextWindow {
  readonly #room: number;
  readonly #overhead: number;
  #shortened = 0;
  #sentChars = 0;
  #measured: { chars: number; tokens: number } | null = null;

  /** `room`: tokens for all that is sent. `overhead`: characters beside the messages. */
  constructor(room: number, overhead = 0) {
    this.#room = room;
    this.#overhead = overhead;
  }

  /** How many tokens the provider counted in what `fit` gave last. */
  measure(tokens: number): void {
    this.#measured = { chars: this.#sentChars, tokens };
  }

  fit(messages: readonly Message[]): readonly Message[] {
    const view = messages.map((message, at) =>
      at < this.#shortened ? shortenMessage(message) : message,
    );
    let chars = this.#overhead + countAll(view);
    if (this.#tokensIn(chars) > this.#room) {
      // The last result is what the model waits for.
      for (; this.#shortened < view.length - 1; this.#shortened++) {
        if (this.#tokensIn(chars) <= this.#room * MARGIN) break;
        const message = view[this.#shortened] as Message;
        const short = shortenMessage(message);
        chars += count(short) - count(message);
        view[this.#shortened] = short;
      }
    }
    this.#sentChars = chars;
    return view;
  }

  /** From what was measured, growth counted with few characters a token and cuts with many. */
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
  // One that is barely longer would not get shorter by a line that says so.
  if (content.length <= KEPT_CHARS * 1.5) return content;
  return cutMiddle(content, KEPT_CHARS, ", shortened later to save room");
}

function countAll(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + count(message), 0);
}

function count(message: Message): number {
  if (message.role !== "assistant") return message.content.length;
  const calls = message.toolCalls.map((call) => JSON.stringify(call.arguments).length);
  return message.content.length + calls.reduce((sum, length) => sum + length, 0);
}

import type { AssistantMessage, Message, ToolCall } from "../llm/types.js";

/** Messages in order, never changed and never removed. */
export class Conversation {
  readonly #messages: Message[] = [];

  get messages(): readonly Message[] {
    return Object.freeze([...this.#messages]);
  }

  append(message: Message): void {
    this.#messages.push(Object.freeze(message.role === "assistant" ? keep(message) : message));
  }

  /** Calls of the last answer that have no result yet. Providers refuse to go on without them. */
  unanswered(): readonly ToolCall[] {
    const at = this.#messages.findLastIndex((message) => message.role === "assistant");
    const answer = this.#messages[at];
    if (answer?.role !== "assistant") return [];
    return answer.toolCalls.slice(this.#messages.length - 1 - at);
  }

  /** Ends on the assistant's turn, so that the user's comes next: some providers insist on it. */
  close(note: string): void {
    const last = this.#messages.at(-1);
    if (last === undefined || last.role === "assistant") return;
    this.append({ role: "assistant", content: `[${note}]`, toolCalls: [] });
  }
}

function keep(message: AssistantMessage): AssistantMessage {
  const toolCalls = message.toolCalls.map((call) => deepFreeze(structuredClone(call)));
  if (toolCalls.length > 0 || message.content.trim() !== "") {
    return { ...message, toolCalls: Object.freeze(toolCalls) };
  }
  // Providers refuse an empty turn, also in their own form.
  const { native: _, ...rest } = message;
  return { ...rest, content: "[No answer.]", toolCalls: Object.freeze(toolCalls) };
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const member of Object.values(value)) deepFreeze(member);
  return Object.freeze(value);
}

import type { AssistantMessage, Message, ToolCall } from "../llm/types.js";

/** An append-only list of messages. */
export class Conversation {
  readonly #messages: Message[] = [];

  get messages(): readonly Message[] {
    return Object.freeze([...this.#messages]);
  }

  append(message: Message): void {
    this.#messages.push(Object.freeze(message.role === "assistant" ? normalise(message) : message));
  }

  /** Tool calls of the last turn that have no result yet. Providers reject a conversation without them. */
  unanswered(): readonly ToolCall[] {
    const at = this.#messages.findLastIndex((message) => message.role === "assistant");
    const answer = this.#messages[at];
    if (answer?.role !== "assistant") return [];
    return answer.toolCalls.slice(this.#messages.length - 1 - at);
  }

  /** Ends on an assistant turn, so that a user turn comes next: some providers require it. */
  close(note: string): void {
    const last = this.#messages.at(-1);
    if (last === undefined || last.role === "assistant") return;
    this.append({ role: "assistant", content: `[${note}]`, toolCalls: [] });
  }
}

function normalise(message: AssistantMessage): AssistantMessage {
  const toolCalls = message.toolCalls.map((call) => deepFreeze(structuredClone(call)));
  if (toolCalls.length > 0 || message.content.trim() !== "") {
    return { ...message, toolCalls: Object.freeze(toolCalls) };
  }
  // Providers reject an empty turn, even one in their own format.
  const { native: _, ...rest } = message;
  return { ...rest, content: "[No response.]", toolCalls: Object.freeze(toolCalls) };
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const member of Object.values(value)) deepFreeze(member);
  return Object.freeze(value);
}

import type { Message } from "../types.js";

interface Conversation {
  system: string | null;
  tools: readonly string[];
  messages: readonly Message[];
}

/** In words; null when there is none that matters. */
export function firstDifference(
  recorded: Conversation,
  asked: Conversation,
  strict: boolean,
): string | null {
  if (strict) {
    const { system, tools } = recorded;
    if (system !== asked.system) return "the system prompt differs";
    if (tools.join() !== asked.tools.join()) {
      return `the tools are ${list(asked.tools)}, recorded were ${list(tools)}`;
    }
  }
  const count = Math.max(recorded.messages.length, asked.messages.length);
  for (let index = 0; index < count; index++) {
    const was = describe(recorded.messages[index]);
    const is = describe(asked.messages[index]);
    if (was !== is) return `message ${index + 1} is ${is}, recorded was ${was}`;
    if (strict && textOf(recorded.messages[index]) !== textOf(asked.messages[index])) {
      return `the text of message ${index + 1}, ${is}, differs`;
    }
  }
  return null;
}

/** What makes up the course of a conversation. */
function describe(message: Message | undefined): string {
  if (message === undefined) return "missing";
  if (message.role === "user") return "the user's";
  if (message.role === "tool_result") return `the result of ${message.toolCallId}`;
  const calls = message.toolCalls.map(({ id, name }) => `${name} (${id})`);
  return calls.length === 0 ? "the assistant's" : `the assistant's call of ${calls.join(", ")}`;
}

function textOf(message: Message | undefined): string {
  if (message?.role !== "assistant") return message?.content ?? "";
  return JSON.stringify([message.content, message.toolCalls]);
}

function list(names: readonly string[]): string {
  return names.length === 0 ? "none" : names.join(", ");
}

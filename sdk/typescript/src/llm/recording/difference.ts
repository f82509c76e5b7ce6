import type { Message } from "../types.js";

interface Conversation {
  system: string | null;
  tools: readonly string[];
  messages: readonly Message[];
}

/** Describes the first difference that matters; null if there is none. */
export function firstDifference(
  recorded: Conversation,
  asked: Conversation,
  strict: boolean,
): string | null {
  if (strict) {
    const { system, tools } = recorded;
    if (system !== asked.system) return "the system prompt differs";
    if (tools.join() !== asked.tools.join()) {
      return `the tools are ${list(asked.tools)}, recorded: ${list(tools)}`;
    }
  }
  const count = Math.max(recorded.messages.length, asked.messages.length);
  for (let index = 0; index < count; index++) {
    const was = describe(recorded.messages[index]);
    const is = describe(asked.messages[index]);
    if (was !== is) return `message ${index + 1} is ${is}, recorded: ${was}`;
    if (strict && textOf(recorded.messages[index]) !== textOf(asked.messages[index])) {
      return `the text of message ${index + 1}, ${is}, differs`;
    }
  }
  return null;
}

/** A message's role and tool calls, without its text. */
function describe(message: Message | undefined): string {
  if (message === undefined) return "missing";
  if (message.role === "user") return "a user message";
  if (message.role === "tool_result") return `the result of ${message.toolCallId}`;
  const calls = message.toolCalls.map(({ id, name }) => `${name} (${id})`);
  return calls.length === 0 ? "an assistant message" : `a call of ${calls.join(", ")}`;
}

function textOf(message: Message | undefined): string {
  if (message?.role !== "assistant") return message?.content ?? "";
  return JSON.stringify([message.content, message.toolCalls]);
}

function list(names: readonly string[]): string {
  return names.length === 0 ? "none" : names.join(", ");
}

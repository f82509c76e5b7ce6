import { createHash } from "node:crypto";
import type {
  ContentBlockParam,
  MessageParam,
  ToolResultBlockParam,
} from "@anthropic-ai/sdk/resources/messages";
import type { AssistantMessage, Message } from "../types.js";

/** An assistant turn as Claude sent it. */
export interface ClaudeTurn {
  blocks: ContentBlockParam[];
  /** Of everything before it. */
  fingerprint: string;
}

export const PROVIDER = "claude";

/**
 * Claude accepts its own thinking only after the exact messages that led to it. So each turn keeps
 * a fingerprint of those; if they were shortened since, its thinking isn't sent.
 */
export function toWireMessages(
  messages: readonly Message[],
  { start, keepThinking }: { start: unknown; keepThinking: boolean },
): { messages: MessageParam[]; fingerprint: string } {
  const wire: MessageParam[] = [];
  let fingerprint = fingerprintOf("", start);
  for (const message of joinUserTurns(messages)) {
    const next =
      message.role === "assistant"
        ? { role: message.role, content: assistantBlocks(message, fingerprint, keepThinking) }
        : message;
    wire.push(next);
    fingerprint = fingerprintOf(fingerprint, next);
  }
  return { messages: wire, fingerprint };
}

interface UserTurn {
  role: "user";
  content: ContentBlockParam[];
}

/** Results of tools called in one turn must be sent in one message. */
function joinUserTurns(messages: readonly Message[]): (UserTurn | AssistantMessage)[] {
  const turns: (UserTurn | AssistantMessage)[] = [];
  for (const message of messages) {
    if (message.role === "assistant") {
      turns.push(message);
      continue;
    }
    const block = userBlock(message);
    const last = turns.at(-1);
    if (last?.role === "user") last.content.push(block);
    else turns.push({ role: "user", content: [block] });
  }
  return turns;
}

function userBlock(message: Exclude<Message, AssistantMessage>): ContentBlockParam {
  if (message.role === "user") return { type: "text", text: message.content };
  const result: ToolResultBlockParam = {
    type: "tool_result",
    tool_use_id: message.toolCallId,
    content: message.content,
  };
  return message.isError ? { ...result, is_error: true } : result;
}

function assistantBlocks(
  message: AssistantMessage,
  fingerprint: string,
  keepThinking: boolean,
): ContentBlockParam[] {
  const blocks = ownBlocks(message, fingerprint, keepThinking);
  // The API rejects an empty turn, which a model that only thought can produce.
  return blocks.length > 0 ? blocks : [{ type: "text", text: "(no text)" }];
}

function ownBlocks(
  message: AssistantMessage,
  fingerprint: string,
  keepThinking: boolean,
): ContentBlockParam[] {
  if (message.native?.provider !== PROVIDER) {
    return [
      ...(message.content === "" ? [] : [{ type: "text" as const, text: message.content }]),
      ...message.toolCalls.map((call) => ({
        type: "tool_use" as const,
        id: call.id,
        name: call.name,
        input: call.arguments,
      })),
    ];
  }
  const turn = message.native.content as ClaudeTurn;
  if (keepThinking || turn.fingerprint === fingerprint) return turn.blocks;
  return turn.blocks.filter(({ type }) => type !== "thinking" && type !== "redacted_thinking");
}

function fingerprintOf(before: string, value: unknown): string {
  const hash = createHash("sha256").update(before).update(JSON.stringify(value));
  return hash.digest("hex").slice(0, 16);
}

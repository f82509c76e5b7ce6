import type {
  ContentBlockParam,
  MessageCreateParamsStreaming,
  MessageParam,
  TextBlockParam,
  Tool as WireTool,
} from "@anthropic-ai/sdk/resources/messages";
import type { Settings } from "../config/settings.js";
import type { ModelRequest } from "../types.js";
import { toWireMessages } from "./messages.js";

const CACHED = { cache_control: { type: "ephemeral" } } as const;

/** Later API versions have no temperature; models that support it accept it in this version. */
const VERSION_WITH_TEMPERATURE = { "anthropic-version": "2023-06-01" };

export interface ClaudeRequest {
  params: MessageCreateParamsStreaming;
  headers: Record<string, string>;
  /** Of everything before the response. */
  fingerprint: string;
}

export function toClaudeRequest(request: ModelRequest, settings: Settings): ClaudeRequest {
  const system: TextBlockParam[] = request.system ? [{ type: "text", text: request.system }] : [];
  const tools = (request.tools ?? []).map(
    ({ name, description, parameters }): WireTool => ({
      name,
      description,
      input_schema: parameters as WireTool["input_schema"],
    }),
  );
  const { messages, fingerprint } = toWireMessages(request.messages, {
    start: [settings.model, system, tools],
    // Models with a thinking budget require their thinking, and don't check what came before it.
    keepThinking: settings.thinkingTokens !== null,
  });
  const temperature = request.temperature ?? settings.temperature;
  return {
    fingerprint,
    headers: temperature === null ? {} : VERSION_WITH_TEMPERATURE,
    params: {
      stream: true,
      model: settings.model,
      max_tokens: request.maxTokens ?? settings.maxTokens,
      messages: markLastMessage(messages),
      ...(system.length > 0 ? { system: markLast(system) } : {}),
      ...(tools.length > 0 ? { tools: markLast(tools) } : {}),
      ...(temperature === null ? {} : { temperature }),
      ...thinkingOf(settings),
    },
  };
}

function thinkingOf({ thinking, thinkingTokens }: Settings) {
  if (thinkingTokens !== null) {
    return { thinking: { type: "enabled", budget_tokens: thinkingTokens } } as const;
  }
  if (thinking === null) return {};
  return { thinking: { type: "adaptive", display: "summarized" } } as const;
}

/** The provider caches everything up to a mark: tools, system prompt and conversation. */
function markLast<T extends object>(items: T[]): T[] {
  return items.map((item, index) => (index === items.length - 1 ? { ...item, ...CACHED } : item));
}

function markLastMessage(messages: MessageParam[]): MessageParam[] {
  const last = messages.at(-1);
  if (last?.role !== "user") return messages;
  const blocks = last.content as ContentBlockParam[];
  const end = blocks.at(-1);
  // An empty text can't be marked.
  if (end?.type === "text" && end.text === "") return messages;
  return [...messages.slice(0, -1), { ...last, content: markLast(blocks) }];
}

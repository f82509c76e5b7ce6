import type {
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";
import type { Settings } from "../config/settings.js";
import type { AssistantMessage, Message, ModelRequest } from "../types.js";
import { PROVIDER, type ReasoningField } from "./answer.js";

export function toOpenaiRequest(
  request: ModelRequest,
  settings: Settings,
): ChatCompletionCreateParamsStreaming {
  const maxTokens = request.maxTokens ?? settings.maxTokens;
  const temperature = request.temperature ?? settings.temperature;
  const tools = request.tools ?? [];
  return {
    stream: true,
    stream_options: { include_usage: true },
    model: settings.model,
    messages: [
      ...(request.system ? [{ role: "system" as const, content: request.system }] : []),
      ...request.messages.map(toWireMessage),
    ],
    // OpenAI's newer models accept only the first name, most other servers only the second.
    ...(isOpenai(settings.baseUrl)
      ? { max_completion_tokens: maxTokens }
      : { max_tokens: maxTokens }),
    ...(temperature === null ? {} : { temperature }),
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, parameters }) => ({
            type: "function" as const,
            function: { name, description, parameters: parameters as Record<string, unknown> },
          })),
        }),
  };
}

function isOpenai(baseUrl: string | null): boolean {
  return baseUrl === null || new URL(baseUrl).hostname === "api.openai.com";
}

function toWireMessage(message: Message): ChatCompletionMessageParam {
  if (message.role === "user") return { role: "user", content: message.content };
  if (message.role === "assistant") return toWireTurn(message);
  // The format can't mark errors, so the text has to.
  const content = message.isError ? `Error: ${message.content}` : message.content;
  return { role: "tool", tool_call_id: message.toolCallId, content };
}

function toWireTurn(message: AssistantMessage): ChatCompletionMessageParam {
  const { content, toolCalls } = message;
  if (toolCalls.length === 0) return { role: "assistant", content };
  return {
    role: "assistant",
    content: content === "" ? null : content,
    tool_calls: toolCalls.map((call) => ({
      id: call.id,
      type: "function",
      function: { name: call.name, arguments: JSON.stringify(call.arguments) },
    })),
    ...reasoningOf(message),
  };
}

/** Servers that return reasoning for a tool call expect it back in the same field. */
function reasoningOf({ native, reasoning }: AssistantMessage): object {
  if (native?.provider !== PROVIDER || reasoning === undefined) return {};
  const { reasoningField } = native.content as { reasoningField: ReasoningField };
  return { [reasoningField]: reasoning };
}

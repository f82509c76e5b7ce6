import { loadPackage, NO_TIMEOUT_MS, watchedFetch } from "../client.js";
import type { Settings } from "../config/settings.js";
import { AgentError } from "../errors.js";
import { BrokenStream, readEvent } from "../failure.js";
import type { Provider } from "../provider.js";
import type { ModelResponse, StopReason } from "../types.js";
import { costOf } from "../usage.js";
import { OpenaiAnswer, PROVIDER } from "./answer.js";
import { openaiFailure } from "./errors.js";
import { toOpenaiRequest } from "./request.js";

const STOP_REASONS: Record<string, StopReason> = {
  stop: "complete",
  tool_calls: "tool_use",
  length: "max_tokens",
};

export function openaiProvider(settings: Settings): Provider {
  let sdk: typeof import("openai") | null = null;
  return {
    async load() {
      sdk ??= await loadPackage("openai", () => import("openai"));
    },
    async stream(request, { signal, alive, onBlock }) {
      if (!sdk) throw new Error("not loaded");
      const client = new sdk.OpenAI({
        apiKey: settings.apiKey ?? "none",
        // Undefined would mean the environment's.
        baseURL: settings.baseUrl ?? "https://api.openai.com/v1",
        maxRetries: 0,
        timeout: NO_TIMEOUT_MS,
        logLevel: "off",
        fetch: watchedFetch(alive),
      });
      const answer = new OpenaiAnswer();
      const params = toOpenaiRequest(request, settings);
      for await (const chunk of await client.chat.completions.create(params, { signal })) {
        for (const block of readEvent(() => answer.add(chunk))) onBlock(block);
      }
      // When aborted, the client ends its loop without an error.
      signal.throwIfAborted();
      if (answer.finishReason === null) {
        throw new BrokenStream("the model's response ended early");
      }
      const last = answer.end();
      if (last) onBlock(last);
      return toResponse(answer, settings);
    },
    toFailure: (error) => openaiFailure(error, sdk, settings),
  };
}

function toResponse(answer: OpenaiAnswer, { model, price }: Settings): ModelResponse {
  if (answer.finishReason === "content_filter") {
    throw new AgentError("agent", "the provider's content filter blocked the response");
  }
  const { content, reasoning, toolCalls, reasoningField } = answer;
  const counts = answer.counts();
  const stopReason = STOP_REASONS[answer.finishReason ?? ""] ?? "complete";
  return {
    content,
    reasoning,
    toolCalls,
    usage: { model: answer.model || model, ...counts, costUsd: costOf(counts, price) },
    // Some servers report "stop" even though they call a tool.
    stopReason: stopReason === "complete" && toolCalls.length > 0 ? "tool_use" : stopReason,
    message: {
      role: "assistant",
      content,
      toolCalls,
      ...(reasoning === "" ? {} : { reasoning }),
      ...(reasoningField === null
        ? {}
        : { native: { provider: PROVIDER, content: { reasoningField } } }),
    },
  };
}

import { loadPackage, NO_TIMEOUT_MS, watchedFetch } from "../client.js";
import type { Settings } from "../config/settings.js";
import { AgentError } from "../errors.js";
import { BrokenStream, readEvent } from "../failure.js";
import type { Provider } from "../provider.js";
import type { ModelResponse, StopReason } from "../types.js";
import { costOf } from "../usage.js";
import { ClaudeAnswer } from "./answer.js";
import { claudeFailure } from "./errors.js";
import { type ClaudeTurn, PROVIDER } from "./messages.js";
import { toClaudeRequest } from "./request.js";

const STOP_REASONS: Record<string, StopReason> = {
  end_turn: "complete",
  stop_sequence: "complete",
  tool_use: "tool_use",
  max_tokens: "max_tokens",
  model_context_window_exceeded: "max_tokens",
};

export function claudeProvider(settings: Settings): Provider {
  let sdk: typeof import("@anthropic-ai/sdk") | null = null;
  return {
    async load() {
      sdk ??= await loadPackage("@anthropic-ai/sdk", () => import("@anthropic-ai/sdk"));
    },
    async stream(request, { signal, alive, onBlock }) {
      if (!sdk) throw new Error("not loaded");
      const { params, headers, fingerprint } = toClaudeRequest(request, settings);
      const client = new sdk.Anthropic({
        apiKey: settings.apiKey ?? "none",
        // Undefined would mean the environment's.
        baseURL: settings.baseUrl ?? "https://api.anthropic.com",
        maxRetries: 0,
        timeout: NO_TIMEOUT_MS,
        logLevel: "off",
        fetch: watchedFetch(alive),
      });
      const answer = new ClaudeAnswer();
      for await (const event of await client.messages.create(params, { signal, headers })) {
        const block = readEvent(() => answer.add(event));
        if (block) onBlock(block);
      }
      // When aborted, the client ends its loop without an error.
      signal.throwIfAborted();
      if (!answer.complete) throw new BrokenStream("the model's response ended early");
      return toResponse(answer, fingerprint, settings);
    },
    toFailure: (error) => claudeFailure(error, sdk, settings),
  };
}

function toResponse(
  answer: ClaudeAnswer,
  fingerprint: string,
  { model, price }: Settings,
): ModelResponse {
  if (answer.stopReason === "refusal") {
    throw new AgentError("agent", "the model refused to answer");
  }
  const content = answer.texts.join("");
  const reasoning = answer.reasoning.join("\n");
  const { toolCalls } = answer;
  const counts = answer.counts();
  const native: ClaudeTurn = { blocks: answer.blocks, fingerprint };
  return {
    content,
    reasoning,
    toolCalls,
    usage: { model: answer.model || model, ...counts, costUsd: costOf(counts, price) },
    stopReason: STOP_REASONS[answer.stopReason ?? ""] ?? "complete",
    message: {
      role: "assistant",
      content,
      toolCalls,
      ...(reasoning === "" ? {} : { reasoning }),
      native: { provider: PROVIDER, content: native },
    },
  };
}

import { AgentError } from "../errors.js";
import type { Message, Model, ModelRequest } from "../types.js";
import { firstDifference } from "./difference.js";
import { recordingPath, toRecordedMessage } from "./format.js";
import { readRecording } from "./read.js";

export interface ReplayOptions {
  /** Also compare texts, the system prompt and tools, not only roles and tool calls. */
  strict?: boolean;
}

/** Replays recorded responses in order, as long as the conversation is the same. */
export function replayModel(file: string, { strict = false }: ReplayOptions = {}): Model {
  const path = recordingPath(file);
  const { header, calls } = readRecording(path);
  let next = 0;
  let before: Message[] = [];
  return {
    name: header.model,
    contextTokens: header.contextTokens,
    async run(request, signal) {
      if (signal?.aborted) {
        throw new AgentError("timeout", "the call was cancelled", { cause: signal.reason });
      }
      const recorded = calls[next++];
      if (!recorded) {
        throw mismatch(path, next, `the recording ends after call ${calls.length}`);
      }
      const messages = [
        ...before.slice(0, recorded.request.sameMessages),
        ...recorded.request.messages,
      ];
      before = messages;
      const difference = firstDifference(
        { ...recorded.request, messages },
        plainRequest(request),
        strict,
      );
      if (difference) throw mismatch(path, next, difference);
      for (const block of recorded.blocks) request.onBlock?.(structuredClone(block));
      if (recorded.response) return structuredClone(recorded.response);
      const { kind = "agent", message = "the call failed", status } = recorded.error ?? {};
      throw new AgentError(kind, message, { ...(status ? { status } : {}) });
    },
  };
}

function plainRequest({ system, tools = [], messages }: ModelRequest) {
  return {
    system: system ?? null,
    tools: tools.map(({ name }) => name),
    messages: messages.map(toRecordedMessage),
  };
}

function mismatch(path: string, call: number, difference: string): AgentError {
  return new AgentError(
    "invalid",
    `${path}: call ${call} differs from the recording: ${difference}`,
  );
}

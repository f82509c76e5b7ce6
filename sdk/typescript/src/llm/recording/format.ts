import { toPlainJson } from "../../canonical.js";
import { limits } from "../../limits.js";
import type { AgentErrorKind } from "../errors.js";
import type { Block, Message, ModelRequest, ModelResponse } from "../types.js";

/** The first line of a recording; each further line is a call. */
export interface Header {
  format: typeof FORMAT;
  version: typeof VERSION;
  model: string;
  contextTokens: number | null;
}

export const FORMAT = "term-sdk model recording";
export const VERSION = 1;

export interface RecordedCall {
  /** Starts at 1. */
  call: number;
  request: RecordedRequest;
  /** The blocks passed to `onBlock`, in order. */
  blocks: Block[];
  response?: ModelResponse;
  error?: { kind: AgentErrorKind; message: string; status: number | null };
}

export interface RecordedRequest {
  system: string | null;
  tools: string[];
  /** How many leading messages are the same as in the previous call. */
  sameMessages: number;
  /** The others. */
  messages: Message[];
}

export function toRecordedRequest(
  request: ModelRequest,
  before: readonly Message[],
): RecordedRequest {
  const messages = request.messages.map(toRecordedMessage);
  const different = messages.findIndex((message, index) => !isSame(message, before[index]));
  const sameMessages = different === -1 ? messages.length : different;
  return {
    system: request.system ?? null,
    tools: (request.tools ?? []).map(({ name }) => name),
    sameMessages,
    messages: messages.slice(sameMessages),
  };
}

/** Without `native`, which is in the recorded response. */
export function toRecordedMessage(message: Message): Message {
  const { native: _, ...plain } = message as Message & { native?: unknown };
  return toPlainJson(plain) as unknown as Message;
}

/** Replaces `{task}` and `{attempt}` with the trial's, so one setting works for a whole run. */
export function recordingPath(path: string): string {
  const { task, attempt } = limits();
  return path
    .replaceAll("{task}", (task ?? "local").replaceAll(/[^\w.-]/g, "_"))
    .replaceAll("{attempt}", String(attempt ?? 1));
}

function isSame(a: Message, b: Message | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

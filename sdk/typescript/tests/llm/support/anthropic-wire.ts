import { type Answer, jsonOf, type ScriptedCall, split } from "./turn.js";

const STOP_REASONS: Record<string, string> = { complete: "end_turn" };

/** The body of a response without streaming. */
export function anthropicMessage(answer: Answer, model: string, number: number): object {
  return {
    ...start(model, number),
    content: blocksOf(answer, number).map(({ whole }) => whole),
    stop_reason: stopReasonOf(answer),
    usage: usageOf(answer),
  };
}

/** The same as server-sent events, in many small pieces. */
export function anthropicEvents(answer: Answer, model: string, number: number): string[] {
  const events = [
    event({
      type: "message_start",
      message: { ...start(model, number), usage: { ...usageOf(answer), output_tokens: 1 } },
    }),
    event({ type: "ping" }),
  ];
  blocksOf(answer, number).forEach(({ first, deltas }, index) => {
    events.push(event({ type: "content_block_start", index, content_block: first }));
    for (const delta of deltas) events.push(event({ type: "content_block_delta", index, delta }));
    events.push(event({ type: "content_block_stop", index }));
  });
  events.push(
    event({
      type: "message_delta",
      delta: { stop_reason: stopReasonOf(answer), stop_sequence: null },
      usage: { output_tokens: usageOf(answer).output_tokens },
    }),
    event({ type: "message_stop" }),
  );
  return events;
}

export function anthropicError(status: number, message: string) {
  const type = ERROR_TYPES[status] ?? "api_error";
  return { type: "error", error: { type, message }, request_id: "req_scripted" };
}

export function anthropicOverloadedEvent(): string {
  return event(anthropicError(529, "Overloaded"));
}

const ERROR_TYPES: Record<number, string> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  529: "overloaded_error",
};

function event(data: Record<string, unknown>): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}

function start(model: string, number: number) {
  return {
    id: `msg_${number}`,
    type: "message",
    role: "assistant",
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
  };
}

function blocksOf(answer: Answer, number: number) {
  const calls = answer.toolCalls ?? [];
  return [
    ...(answer.thinking === undefined ? [] : [thinkingBlock(answer.thinking, number)]),
    ...(answer.text === undefined ? [] : [textBlock(answer.text)]),
    ...calls.map((call, index) => toolUseBlock(call, `toolu_${number}_${index + 1}`)),
  ];
}

function thinkingBlock(thinking: string, number: number) {
  const signature = `signature-${number}-of-${thinking.length}`;
  return {
    whole: { type: "thinking", thinking, signature },
    first: { type: "thinking", thinking: "", signature: "" },
    deltas: [
      ...split(thinking, 7).map((piece) => ({ type: "thinking_delta", thinking: piece })),
      { type: "signature_delta", signature },
    ],
  };
}

function textBlock(text: string) {
  return {
    whole: { type: "text", text },
    first: { type: "text", text: "" },
    deltas: split(text, 6).map((piece) => ({ type: "text_delta", text: piece })),
  };
}

function toolUseBlock(call: ScriptedCall, defaultId: string) {
  const head = { type: "tool_use", id: call.id ?? defaultId, name: call.name };
  return {
    whole: { ...head, input: call.arguments },
    first: { ...head, input: {} },
    deltas: ["", ...split(jsonOf(call), 5)].map((piece) => ({
      type: "input_json_delta",
      partial_json: piece,
    })),
  };
}

function stopReasonOf({ stopReason, toolCalls = [] }: Answer): string {
  const reason = stopReason ?? (toolCalls.length > 0 ? "tool_use" : "complete");
  return STOP_REASONS[reason] ?? reason;
}

function usageOf({ usage }: Answer) {
  return {
    input_tokens: usage?.input ?? 10,
    cache_creation_input_tokens: usage?.cacheWrite ?? 0,
    cache_read_input_tokens: usage?.cacheRead ?? 0,
    output_tokens: usage?.output ?? 5,
  };
}

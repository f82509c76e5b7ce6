import { type Answer, jsonOf, split } from "./turn.js";

const FINISH_REASONS: Record<string, string> = {
  complete: "stop",
  tool_use: "tool_calls",
  max_tokens: "length",
};

/** The body of a response without streaming. */
export function openaiCompletion(answer: Answer, model: string, number: number): object {
  const calls = callsOf(answer, number);
  const message = {
    role: "assistant",
    content: answer.text ?? null,
    ...(answer.thinking === undefined ? {} : { reasoning_content: answer.thinking }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  return {
    ...head("chat.completion", model, number),
    choices: [{ index: 0, message, finish_reason: finishReasonOf(answer), logprobs: null }],
    ...usageOf(answer),
  };
}

/** The same as server-sent events; tool calls come in pieces that share an index. */
export function openaiEvents(
  answer: Answer,
  model: string,
  number: number,
  includeUsage: boolean,
): string[] {
  const chunk = (fields: object) =>
    event({ ...head("chat.completion.chunk", model, number), ...fields });
  const choice = (delta: object, finish_reason: string | null = null) =>
    chunk({ choices: [{ index: 0, delta, finish_reason, logprobs: null }] });
  const events = [choice({ role: "assistant", content: "" })];
  for (const piece of split(answer.thinking ?? "", 7)) {
    events.push(choice({ reasoning_content: piece }));
  }
  for (const piece of split(answer.text ?? "", 6)) events.push(choice({ content: piece }));
  callsOf(answer, number).forEach((call, index) => {
    const { name, arguments: json } = call.function;
    const opening = { ...call, index, function: { name, arguments: "" } };
    events.push(choice({ tool_calls: [opening] }));
    for (const piece of split(json, 5)) {
      events.push(choice({ tool_calls: [{ index, function: { arguments: piece } }] }));
    }
  });
  events.push(choice({}, finishReasonOf(answer)));
  if (includeUsage && answer.usage !== null) {
    events.push(chunk({ choices: [], ...usageOf(answer) }));
  }
  events.push("data: [DONE]\n\n");
  return events;
}

export function openaiError(status: number, message: string): object {
  return { error: { message, type: "scripted_error", param: null, code: String(status) } };
}

export function openaiOverloadedEvent(): string {
  return event(openaiError(503, "Overloaded"));
}

function event(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

function head(object: string, model: string, number: number) {
  return { id: `chatcmpl-${number}`, object, created: 1_700_000_000, model };
}

function callsOf({ toolCalls = [] }: Answer, number: number) {
  return toolCalls.map((call, index) => ({
    id: call.id ?? `call_${number}_${index + 1}`,
    type: "function",
    function: { name: call.name, arguments: jsonOf(call) },
  }));
}

function finishReasonOf({ stopReason, toolCalls = [] }: Answer): string {
  const reason = stopReason ?? (toolCalls.length > 0 ? "tool_use" : "complete");
  return FINISH_REASONS[reason] ?? reason;
}

function usageOf({ usage }: Answer): object {
  if (usage === null) return {};
  const { input = 10, output = 5, cacheRead = 0, cacheWrite = 0 } = usage ?? {};
  const prompt_tokens = input + cacheRead + cacheWrite;
  return {
    usage: {
      prompt_tokens,
      completion_tokens: output,
      total_tokens: prompt_tokens + output,
      prompt_tokens_details: { cached_tokens: cacheRead },
    },
  };
}

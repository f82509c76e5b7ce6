import type { Tool } from "../llm/tool.js";
import type { ToolCall } from "../llm/types.js";
import { reasonOf } from "../log.js";
import { untilAborted } from "./abort.js";
import { checkArguments } from "./check-arguments.js";

export interface ToolOutcome {
  content: string;
  isError: boolean;
}

/** Runs one call. Errors become results for the model; only an abort is thrown. */
export async function runTool(
  tools: readonly Tool[],
  call: ToolCall,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const tool = tools.find(({ name }) => name === call.name);
  if (tool === undefined) {
    const names = tools.map(({ name }) => name).join(", ");
    return failure(`Unknown tool "${call.name}". Available tools: ${names || "none"}.`);
  }
  const wrong = call.invalid ?? checkArguments(tool.parameters, call.arguments);
  if (wrong !== null) return failure(`Invalid arguments: ${wrong}`);
  try {
    // A tool may modify its arguments; the conversation must not change.
    const args = structuredClone(call.arguments);
    const result = await untilAborted(
      () => tool.execute(args, { signal, toolCallId: call.id }),
      signal,
    );
    return { content: asText(result), isError: false };
  } catch (error) {
    signal.throwIfAborted();
    return failure(reasonOf(error) || "The tool failed without a reason.");
  }
}

function failure(content: string): ToolOutcome {
  return { content, isError: true };
}

function asText(result: unknown): string {
  return typeof result === "string" ? result : (JSON.stringify(result) ?? "");
}

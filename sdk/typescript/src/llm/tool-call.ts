import type { ToolCall } from "./types.js";

/** Parses the JSON a model wrote. Never throws: problems go into `invalid`. */
export function readToolCall(id: string, name: string, json: string): ToolCall {
  // A call without arguments often has no text at all.
  if (json.trim() === "") return { id, name, arguments: {} };
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    const invalid = `the arguments aren't valid JSON: ${(error as Error).message}`;
    return { id, name, arguments: {}, invalid };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { id, name, arguments: {}, invalid: "the arguments aren't a JSON object" };
  }
  return { id, name, arguments: value as Record<string, unknown> };
}

import type { ToolCall } from "./types.js";

/** Of the JSON text that a model wrote. What can't be used is said, and never thrown. */
export function readToolCall(id: string, name: string, json: string): ToolCall {
  // A call without arguments often has no text at all.
  if (json.trim() === "") return { id, name, arguments: {} };
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    const invalid = `the arguments are not valid JSON: ${(error as Error).message}`;
    return { id, name, arguments: {}, invalid };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { id, name, arguments: {}, invalid: "the arguments are not a JSON object" };
  }
  return { id, name, arguments: value as Record<string, unknown> };
}

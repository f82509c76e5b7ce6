import type { FromSchema, Schema } from "./schema-type.js";

export interface ToolContext {
  /** Aborted when the prompt is cancelled. */
  signal: AbortSignal;
  /** The id of the tool call. */
  toolCallId: string;
}

/** A function that the model can call. */
export interface Tool<Arguments = Record<string, unknown>> {
  readonly name: string;
  /** For the model: what it does and when to use it. */
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: object;
  /** A string is sent to the model as it is, anything else as JSON, an exception as an error. */
  execute(args: Arguments, context: ToolContext): unknown;
}

/** Defines a tool whose `execute` gets arguments typed from the schema. */
export function defineTool<const S extends Schema>(tool: {
  name: string;
  description: string;
  parameters: S;
  execute(args: FromSchema<S>, context: ToolContext): unknown;
}): Tool {
  return tool as unknown as Tool;
}

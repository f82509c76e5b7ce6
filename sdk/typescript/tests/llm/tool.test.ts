import { describe, expect, expectTypeOf, test } from "vitest";
import { defineTool, type Tool } from "../../src/llm/index.js";

describe("Tools", () => {
  test("execute gets arguments typed from the schema", async () => {
    const tool = defineTool({
      name: "write",
      description: "Writes a file.",
      parameters: {
        type: "object",
        properties: {
          path: { type: "string" },
          lines: { type: "array", items: { type: "string" } },
          mode: { enum: ["append", "replace"] },
          times: { type: "integer" },
          owner: { type: ["string", "null"] },
        },
        required: ["path", "lines", "mode"],
        additionalProperties: false,
      },
      execute(args) {
        expectTypeOf(args).toEqualTypeOf<{
          path: string;
          lines: string[];
          mode: "append" | "replace";
          times?: number;
          owner?: string | null;
        }>();
        return `${args.path}: ${args.lines.length}`;
      },
    });
    expectTypeOf(tool).toEqualTypeOf<Tool>();
    const context = { signal: new AbortController().signal, toolCallId: "1" };
    const result = await tool.execute({ path: "a", lines: ["x", "y"], mode: "append" }, context);
    expect(result).toBe("a: 2");
  });

  test("a misspelt argument is a type error", () => {
    defineTool({
      name: "read",
      description: "Reads a file.",
      parameters: {
        type: "object",
        properties: { path: { type: "string" } },
        required: ["path"],
      },
      // @ts-expect-error The schema has no such argument.
      execute: ({ file }) => file,
    });
  });
});

import {
  type ConfigSources,
  claude,
  defineTool,
  type Model,
  type ModelRequest,
  openaiCompatible,
} from "../../../src/llm/index.js";
import type { ModelServer } from "./model-server.js";

/** Short delays: tests wait for events, never for a time. */
const QUICK = { retryDelaySec: 0.001, stallTimeoutSec: 30 };

type Config = Omit<ConfigSources, "provider">;

export function claudeAt(server: ModelServer, config: Config = {}): Model {
  return claude({ baseUrl: server.url, apiKey: "test-key", ...QUICK, ...config });
}

export function openaiAt(server: ModelServer, config: Config = {}): Model {
  const own = { baseUrl: server.openaiUrl, apiKey: "test-key", model: "test-model" };
  return openaiCompatible({ ...own, ...QUICK, ...config });
}

export const PROVIDERS = [
  { name: "claude", modelAt: claudeAt },
  { name: "openai", modelAt: openaiAt },
];

export const shell = defineTool({
  name: "shell",
  description: "Runs a command.",
  parameters: {
    type: "object",
    properties: { command: { type: "string" } },
    required: ["command"],
  },
  execute: ({ command }) => `ran ${command}`,
});

export const ask = (content: string, more: Partial<ModelRequest> = {}): ModelRequest => ({
  messages: [{ role: "user", content }],
  ...more,
});

/** The error that a promise rejects with. */
export function errorOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => {
      throw new Error("it did not fail");
    },
    (error) => error,
  );
}
